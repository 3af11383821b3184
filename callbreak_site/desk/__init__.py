"""What the admin pages of all apps share: rows that are only read, acts that ask why, and what is overdue."""
