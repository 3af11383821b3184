"""The house: settings, health, the embedded servers."""
