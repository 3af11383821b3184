"""Values in, plain data out: what leaves the service is made here, per viewer."""
