"""The group of those who look after players and games, with just what that takes."""

from django.db import migrations

GROUP = "Moderators"
MAY = {
    ("players", "player"): ["view_player", "suspend_player"],
    ("players", "audit"): ["view_audit"],
    ("games", "game"): ["view_game", "void_game"],
    ("bots", "claim"): ["view_claim"],
    ("outbox", "fact"): ["view_fact"],
    ("outbox", "heartbeat"): ["view_heartbeat"],
}


def gather_moderators(apps, schema_editor):
    """Make the group; Django makes permissions only after all migrations, so those that are missing are made here."""
    ContentType = apps.get_model("contenttypes", "ContentType")
    Permission = apps.get_model("auth", "Permission")
    group, _ = apps.get_model("auth", "Group").objects.get_or_create(name=GROUP)
    permissions = []
    for (app_label, model), codenames in MAY.items():
        content_type, _ = ContentType.objects.get_or_create(app_label=app_label, model=model)
        for codename in codenames:
            name = f"Can {codename.replace('_', ' ')}"
            permission, _ = Permission.objects.get_or_create(
                content_type=content_type, codename=codename, defaults={"name": name}
            )
            permissions.append(permission)
    group.permissions.set(permissions)


def dismiss_moderators(apps, schema_editor):
    """Delete the group; its members stay staff, and may do nothing."""
    apps.get_model("auth", "Group").objects.filter(name=GROUP).delete()


class Migration(migrations.Migration):
    """Name the permission to void a game, and make the group."""

    dependencies = [
        ("games", "0001_initial"),
        ("players", "0001_initial"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]

    operations = [
        migrations.AlterModelOptions(name="game", options={"permissions": [("void_game", "Can void games")]}),
        migrations.RunPython(gather_moderators, dismiss_moderators),
    ]
