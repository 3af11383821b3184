"""Mails: plain text and simple HTML, in the reader's language."""

from typing import Any

from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import translation


def send_letter(*, to: str, letter: str, language: str, **told: Any) -> None:
    """Send what the templates `players/letters/{letter}.txt` and `.html` say; the text's first line is the subject."""
    with translation.override(language):
        subject, _, text = render_to_string(f"players/letters/{letter}.txt", told).strip().partition("\n")
        html = render_to_string(f"players/letters/{letter}.html", {**told, "language": language})
    message = EmailMultiAlternatives(subject, text.strip() + "\n", to=[to])
    message.attach_alternative(html, "text/html")
    message.send()
