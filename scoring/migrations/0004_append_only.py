from django.db import migrations

from core.append_only import append_only


class Migration(migrations.Migration):

    dependencies = [("scoring", "0003_judging")]

    operations = [
        append_only(f"scoring_{table}") for table in ("signature", "vote", "ruling", "appealvote")
    ]
