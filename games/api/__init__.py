"""Games over REST."""
