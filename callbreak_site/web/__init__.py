"""What all pages share: how an act is answered, and how a refusal reads."""
