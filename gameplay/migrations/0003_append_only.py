from django.db import migrations

from core.append_only import append_only


class Migration(migrations.Migration):

    dependencies = [("gameplay", "0002_clock")]

    operations = [append_only("gameplay_clockevent")]
