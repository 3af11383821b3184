"""The composition root, and the little that all apps share."""
