"""Callbreak itself: rules, rows, tables, the API."""
