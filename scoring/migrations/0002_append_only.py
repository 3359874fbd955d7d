from django.db import migrations

from core.append_only import append_only


class Migration(migrations.Migration):

    dependencies = [("scoring", "0001_initial")]

    operations = [append_only("scoring_entry")]
