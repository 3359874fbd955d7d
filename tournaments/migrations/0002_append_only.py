from django.db import migrations

from core.append_only import append_only


class Migration(migrations.Migration):

    dependencies = [("tournaments", "0001_initial")]

    operations = [
        append_only("tournaments_publication"),
        append_only("tournaments_snapshot"),
        append_only("tournaments_snapshotline"),
    ]
