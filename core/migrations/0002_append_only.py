from django.db import migrations

from core.append_only import append_only


class Migration(migrations.Migration):

    dependencies = [("core", "0001_initial")]

    operations = [append_only("core_auditrow")]
