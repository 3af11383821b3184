"""What operators watch: counts of what happens, and gauges read from the rows when they are asked for."""
