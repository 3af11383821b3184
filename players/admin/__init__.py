"""The admin's pages of players and of the audit."""

from django.contrib import admin
from django.contrib.auth.models import Group

from players.admin.audit import AuditAdmin
from players.admin.players import PlayerAdmin

admin.site.unregister(Group)  # What moderators may do is set by a migration, not by hand.

__all__ = ["AuditAdmin", "PlayerAdmin"]
