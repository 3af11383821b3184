"""The rules of Callbreak, pure: no clock, no chance, no rows.

Read in this order: `cards`, `ruleset`, `trick`, `scoring`, `state`, `view`. Then `shuffle` deals so that anyone can
check it, `proof` checks it, and `record` writes a finished game down in the `notation` that people read.
"""
