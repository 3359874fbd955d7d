"""Tables in which nothing is ever changed or deleted: the database itself says no."""

from __future__ import annotations

from django.db.migrations import RunSQL

_FUNCTION = """
CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'integrity_constraint_violation';
END $$
"""


def append_only(table: str) -> RunSQL:
    """The migration operation that forbids UPDATE and DELETE in a table."""
    return RunSQL(
        [
            _FUNCTION,
            f"CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON {table} "
            "FOR EACH ROW EXECUTE FUNCTION append_only()",
        ],
        [f"DROP TRIGGER append_only ON {table}"],
    )
