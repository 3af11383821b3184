"""up, backup and restore."""
