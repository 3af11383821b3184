"""What happens in a game, told to a browser as it happens."""
