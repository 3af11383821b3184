"""What changes accounts, tokens and the audit."""
