"""The house's own players."""
