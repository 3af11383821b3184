"""PostgreSQL and Redis started for people who have none."""
