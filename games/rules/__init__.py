"""The rules of Callbreak, pure: no clock, no chance, no rows.

Read in this order: `cards`, `ruleset`, `trick`, `scoring`, `state`, `view`; then `shuffle`, which deals so that anyone
can check it, and `record`, which writes a finished game down.
"""
