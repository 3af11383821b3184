"""A pretended service in memory, obeying the contract, so that the referee can be tried without a real one."""
