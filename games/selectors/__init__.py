"""Rows in, values out."""
