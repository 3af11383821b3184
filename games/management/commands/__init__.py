"""`manage.py` commands about games."""
