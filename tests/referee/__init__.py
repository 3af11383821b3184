"""A referee: the rules and the dealing written a second time, and a stranger who checks a running service over HTTP."""
