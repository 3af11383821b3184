"""Every language says everything: nothing is missing, uncertain or broken, and Django reads what was written."""

import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

CHECKOUT = Path(__file__).resolve().parents[2]
LANGUAGES = [code for code, _ in settings.LANGUAGES]
pytestmark = pytest.mark.django_db


def test_every_message_is_translated_into_every_language() -> None:
    command = [sys.executable, "scripts/messages", "--check"]
    told = subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=120, check=False)
    assert told.returncode == 0, told.stdout[:4000] + told.stderr


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_in_the_language_that_the_browser_asks_for(client: Client, language: str) -> None:
    page = client.get("/rules/", headers={"Accept-Language": language}).content.decode()
    assert f'<html lang="{language}"' in page
    assert ("Skip to the content" in page) is (language == "en")


def test_the_language_that_was_chosen_stays(client: Client) -> None:
    client.post("/language", {"language": "ne", "next": "/rules/"})
    assert '<html lang="ne"' in client.get("/rules/", headers={"Accept-Language": "vi"}).content.decode()


def test_the_api_speaks_english(client: Client) -> None:
    told = client.get("/api/v1/me", headers={"Accept-Language": "hi"}).json()
    assert told["title"] == "Sign in first"
