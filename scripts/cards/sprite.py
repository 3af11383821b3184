"""The sprite: one symbol a card, the back, and the suits for use in pages."""

from cards.courts import FIGURES, GOLD, PAPER, PARTS, belt
from cards.marks import PIP_SIZES, RANK_STROKES, RANK_WIDTHS, RANKS, SUIT_COLOURS, SUIT_PATHS, SUITS, pips

TURN = "rotate(180 125 175)"


def _pip(suit: str, x: float, y: float, size: float) -> str:
    side = -1 if y > 175 and size < 100 else 1
    corner = f"{x - side * size / 2:g} {y - side * size / 2:g}"
    return f'<use href="#p{suit}" transform="translate({corner})scale({side * size / 100:g})"/>'


def _ace_of_spades() -> str:
    line = (
        "M125 110C135 138 181 158 181 194C181 206 172 213 161 213C149 213 139 208 133 200Q125 189 117 200"
        "C111 208 101 213 89 213C78 213 69 206 69 194C69 158 115 138 125 110Z"
    )
    petals = '<path id="petal" d="M125 164c-7-8-7-16 0-25c7 9 7 17 0 25z"/>' + "".join(
        f'<use href="#petal" transform="rotate({45 * turn} 125 167)"/>' for turn in range(1, 8)
    )
    return (
        _pip("S", 125, 170, 162)
        + f'<path fill="none" stroke="{PAPER}" stroke-width="2" d="{line}"/>'
        + f'<g fill="{PAPER}">{petals}</g><circle cx="125" cy="167" r="5" fill="{GOLD}"/>'
    )


def _middle(rank: str, suit: str) -> str:
    if rank in FIGURES:
        name = f"h{rank}{suit}"
        return f'<g id="{name}">{FIGURES[rank](suit)}</g><use href="#{name}" transform="{TURN}"/>{belt(suit)}'
    if rank + suit == "AS":
        return _ace_of_spades()
    if rank == "A":
        return _pip(suit, 125, 175, 136)
    return "".join(_pip(suit, x, y, PIP_SIZES[rank]) for x, y in pips(rank))


def _card(rank: str, suit: str) -> str:
    name = f"i{rank}{suit}"
    index = (
        f'<g id="{name}"><use href="#r{rank}"/>{_pip(suit, 37, 111, 41)}</g><use href="#{name}" transform="{TURN}"/>'
    )
    colour = SUIT_COLOURS[suit]
    return (
        f'<symbol id="{rank}{suit}" viewBox="0 0 250 350" color="{colour}" fill="{colour}">'
        f'<use href="#paper"/>{index}{_middle(rank, suit)}</symbol>'
    )


def _back() -> str:
    leaves = "".join(f'<use href="#leaf{column % 2}" x="{25 + 25 * column}"/>' for column in range(8))
    rows = "".join(
        f'<use href="#row" transform="translate(0 {y})"/>'
        f'<use href="#row" transform="translate(0 {y + 50})scale(1 -1)"/>'
        for y in range(25, 325, 50)
    )
    return (
        f'<symbol id="back" viewBox="0 0 250 350"><defs><g id="row">{leaves}</g></defs><use href="#paper"/>'
        '<rect x="11" y="11" width="228" height="328" rx="12" fill="var(--accent,#0f6e66)"/>'
        f'<rect x="18" y="18" width="214" height="314" rx="7" fill="none" stroke="{PAPER}" stroke-width="1.5" '
        f'opacity=".55"/><g fill="{PAPER}" opacity=".3">{rows}</g></symbol>'
    )


def _parts() -> str:
    parts = [f'<path id="p{suit}" d="{path}"/>' for suit, path in SUIT_PATHS.items()]
    for rank, strokes in RANK_STROKES.items():
        place = f"translate({37 - RANK_WIDTHS[rank] * 0.46:g} 20)scale(.92)"
        parts.append(
            f'<path id="r{rank}" fill="none" stroke="currentColor" stroke-width="11" stroke-linecap="round" '
            f'stroke-linejoin="round" transform="{place}" d="{strokes}"/>'
        )
    parts += [f'<g id="{name}">{drawing}</g>' for name, drawing in PARTS.items()]
    parts += [
        f'<rect id="paper" x="1" y="1" width="248" height="348" rx="19" fill="{PAPER}" '
        'stroke="var(--card-edge,#c9c9c4)" stroke-width="2"/>',
        '<path id="leaf0" d="M1 1Q20 5 24 24Q5 20 1 1Z"/>',
        '<path id="leaf1" d="M24 1Q5 5 1 24Q20 20 24 1Z"/>',
    ]
    return f"<defs>{''.join(parts)}</defs>"


def sprite() -> str:
    """Return the whole file; its colours are custom properties of the page that uses it."""
    suits = [
        f'<symbol id="suit-{suit}" viewBox="0 0 100 100" fill="{colour}"><use href="#p{suit}"/></symbol>'
        for suit, colour in SUIT_COLOURS.items()
    ]
    cards = [_card(rank, suit) for suit in SUITS for rank in RANKS]
    body = "\n".join([_parts(), *suits, *cards, _back()])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'
