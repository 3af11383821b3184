"""The door to write: each change of a game is one function and one transaction."""
