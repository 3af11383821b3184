import gzip
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "games" / "static" / "games" / "cards.svg"
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def sprite() -> ET.Element:
    return ET.fromstring(COMMITTED.read_text())


def test_the_committed_sprite_is_what_the_script_draws(tmp_path):
    drawn = tmp_path / "cards.svg"
    subprocess.run([sys.executable, "-B", ROOT / "scripts" / "draw_cards", drawn], check=True)
    assert drawn.read_bytes() == COMMITTED.read_bytes()


def test_every_card_the_back_and_the_suits_are_there_once(sprite):
    cards = {rank + suit for rank in "23456789TJQKA" for suit in "CDHS"}
    symbols = [symbol.get("id") for symbol in sprite.iter(f"{SVG}symbol")]
    assert sorted(symbols) == sorted(cards | {"back"} | {f"suit-{suit}" for suit in "CDHS"})


def test_every_reference_meets_one_part(sprite):
    ids = [element.get("id") for element in sprite.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    assert {use.get("href") for use in sprite.iter(f"{SVG}use")} <= {f"#{name}" for name in ids}


def test_a_strict_content_security_policy_and_a_machine_without_fonts_change_nothing(sprite):
    drawn_with = {element.tag.removeprefix(SVG) for element in sprite.iter()}
    assert drawn_with <= {"svg", "defs", "symbol", "g", "use", "path", "rect", "circle"}
    assert not [element for element in sprite.iter() if "style" in element.attrib]


def test_a_pip_is_counted_once_for_each_point_and_both_indices_add_one(sprite):
    parts = {element.get("id"): element for element in sprite.iter() if element.get("id")}

    def pips(element: ET.Element, suit: str) -> int:
        if element.tag == f"{SVG}use":
            name = element.get("href", "").removeprefix("#")
            return 1 if name == f"p{suit}" else pips(parts[name], suit)
        return sum(pips(child, suit) for child in element)

    for suit in "CDHS":
        for points, rank in enumerate("23456789T", start=2):
            assert pips(parts[rank + suit], suit) == points + 2


def test_the_deck_is_a_small_download():
    assert len(gzip.compress(COMMITTED.read_bytes(), 6)) <= 24_000
