"""Who plays: accounts, tokens and moderation."""
