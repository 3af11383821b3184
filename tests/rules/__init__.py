"""The rules of the game, tested without a database."""
