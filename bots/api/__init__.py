"""The house bots in the API."""
