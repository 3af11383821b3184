"""The same play, on the same tables and rules, written as a Django tutorial would: what `make bench` compares with."""
