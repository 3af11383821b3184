"""The admin, as moderators and administrators find it."""
