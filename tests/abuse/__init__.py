"""Hostile requests, accidents and leaks: what the service does with whoever means it no good."""
