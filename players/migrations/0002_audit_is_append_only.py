"""Rows of the audit stay as they were written, whatever SQL is sent."""

from django.db import migrations

FORWARD = """
    CREATE FUNCTION players_refuse_to_rewrite_audit() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        RAISE EXCEPTION 'the audit is append-only' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER audit_is_append_only BEFORE UPDATE OR DELETE ON players_audit
        FOR EACH ROW EXECUTE FUNCTION players_refuse_to_rewrite_audit();
"""
BACKWARD = """
    DROP TRIGGER audit_is_append_only ON players_audit;
    DROP FUNCTION players_refuse_to_rewrite_audit();
"""


class Migration(migrations.Migration):
    """Add the trigger."""

    dependencies = [("players", "0001_initial")]

    operations = [migrations.RunSQL(FORWARD, BACKWARD)]
