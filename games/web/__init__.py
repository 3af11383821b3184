"""Pages: made of the same states as the API's answers, for eyes and hands."""
