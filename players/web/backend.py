"""Whose session counts."""

from typing import Any

from django.contrib.auth.backends import ModelBackend


class OpenAccounts(ModelBackend):
    """Lets in whose account is open: the sessions of a suspended or closed one are nobody's from that moment on."""

    def user_can_authenticate(self, user: Any) -> bool:
        """Tell whether this person may be signed in; asked for every page."""
        return super().user_can_authenticate(user) and user.suspended_at is None
