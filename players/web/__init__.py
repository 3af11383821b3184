"""Pages about accounts, and who is in front of the screen."""
