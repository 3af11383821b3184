"""The figures of jack, queen and king: the upper half of each, as seen above the belt at 175."""

PAPER = "var(--card-paper,#fff)"
GOLD = "var(--card-gold,#d9a441)"
DARK = "#2a2020"
STEEL = "#8b97a6"
LINEN = "#f7efdf"
LEAF = "#5d7f5a"
LIPS = "#a8323a"

SKINS = {"C": "#c98d60", "D": "#ecc39b", "H": "#dba67a", "S": "#a9714b"}
HAIRS = {"C": "#33251f", "D": "#7b4524", "H": "#4a2c1e", "S": "#27222a"}
BEARDS = {"C": "#33251f", "D": "#7b4524", "H": "#d8d6d3", "S": "#8d8a90"}


def _path(d: str, fill: str | None = None) -> str:
    return f'<path fill="{fill}" d="{d}"/>' if fill else f'<path d="{d}"/>'


def _line(d: str, stroke: str, width: float) -> str:
    return f'<path fill="none" stroke="{stroke}" stroke-width="{width:g}" d="{d}"/>'


def _discs(places: list[tuple[float, float]], radius: float) -> str:
    r = f"{radius:g}"
    return "".join(
        f"M{x - radius:g} {y:g}a{r} {r} 0 1 0 {2 * radius:g} 0a{r} {r} 0 1 0-{2 * radius:g} 0z" for x, y in places
    )


def _suit(suit: str, x: float, y: float, size: float, fill: str) -> str:
    scale = size / 100
    return (
        f'<use href="#p{suit}" fill="{fill}" transform="translate({x - size / 2:g} {y - size / 2:g})scale({scale:g})"/>'
    )


# Parts that all suits share.
PARTS = {
    "halo": '<circle cx="125" cy="82" r="54" fill="currentColor" opacity=".12"/>',
    "robe": _path("M34 175V166C34 146 64 142 92 133L125 126L158 133C186 142 216 146 216 166V175Z", "currentColor"),
    "face": _path("M98 72C98 58 108 50 125 50S152 58 152 72C152 98 139 116 125 116S98 98 98 72Z")
    + _path("M114 104H136V128L125 138L114 128Z"),
    "shade": _path(
        "M125 50C142 50 152 58 152 72C152 98 139 116 125 116ZM114 110Q125 122 136 110V118Q125 128 114 118Z", "#00000017"
    ),
    "look": _line("M104.5 73Q111 67.5 117.5 73M132.5 73Q139 67.5 145.5 73", DARK, 2.6)
    + _path(_discs([(111.5, 79.5), (138.5, 79.5)], 3.2), DARK)
    + _line("M126 78L122.5 91Q123 93.5 128 93", DARK, 1.8),
    "mouth": _line("M117.5 102Q125 107 132.5 102", LIPS, 2.8),
    "belt": f'<path fill="{GOLD}" d="M34 161H216V189H34Z"/><path fill="currentColor" d="M34 164H216V186H34Z"/>',
}


def _pattern(suit: str) -> str:
    match suit:
        case "C":
            return _path(_discs([(x, 156 - abs(125 - x) * 0.02) for x in range(61, 200, 16)], 2.6), GOLD)
        case "D":
            return _line("M56 160L72 146L88 160L104 146L120 160M194 160L178 146L162 160L146 146L130 160", GOLD, 2.4)
        case "H":
            return _line("M53 160" + "a12 12 0 0 1 24 0" * 6, GOLD, 2.4)
        case _:
            return _line(
                "M66 147L58 160M80 142L74 160M94 138L91 160M184 147L192 160M170 142L176 160M156 138L159 160", GOLD, 2.4
            )


def belt(suit: str) -> str:
    """Return the belt that both halves of a figure share; it reads the same from either side."""
    pips = "".join(_suit(suit, x, 175, 16, PAPER) for x in (49, 75, 101))
    return f'<use href="#belt"/>{pips}<g transform="rotate(180 125 175)">{pips}</g>' + _path(
        "M125 167L132 175L125 183L118 175Z", GOLD
    )


def _staff(top: int) -> str:
    return _line(f"M200 {top}V160", GOLD, 5)


def _hand(skin: str) -> str:
    return (
        _path("M180 162L189 149H211L216 166Z", "currentColor")
        + _path("M188 146h24v6h-24z", GOLD)
        + _path("M190 146V136Q190 130 196 130H205Q211 130 211 136V146Z", skin)
        + _line("M201 135.5H211M201 141H211", "#0003", 1.4)
    )


def jack(suit: str) -> str:
    """Return a young page in a cap, with a pennant."""
    skin, hair = SKINS[suit], HAIRS[suit]
    feathers = {
        "C": _line("M150 34Q166 30 168 14", GOLD, 4) + _path(_discs([(168, 14)], 5), GOLD),
        "D": _line("M148 40L158 28", GOLD, 4) + _path("M163 6L171 20L160 33L153 18Z", GOLD),
        "H": _path("M148 40C150 16 166 10 178 16C180 30 168 42 148 40Z", GOLD),
        "S": _path("M148 40Q152 16 174 6Q176 30 148 40Z", GOLD),
    }
    band = {
        "C": _path(_discs([(x, 53.5 + (x - 126) ** 2 * 0.006) for x in (102, 114, 126, 138, 150)], 2.6), GOLD),
        "D": _line("M94 58L103 44L112 54L121 41L130 53L139 42L148 54L155 46", GOLD, 2.4),
        "H": _line("M93 54Q126 40 158 51", GOLD, 4),
        "S": _line("M104 34L101 55M115 28L113 51M127 25L127 49M138 25L141 50M148 27L152 53", GOLD, 2.4),
    }
    return (
        '<use href="#halo"/><use href="#robe"/>'
        + _pattern(suit)
        + _path(
            "M92 58C88 82 90 96 96 104Q101 106 104 98L106 70H144L146 98Q149 106 154 104C160 96 162 82 158 58Z", hair
        )
        + f'<use href="#face" fill="{skin}"/><use href="#shade"/><use href="#look"/><use href="#mouth"/>'
        + _path("M97 73C98 65 104 60 112 61Q134 62 153 71V48H97Z", hair)
        + feathers[suit]
        + _path("M90 62L97 32Q124 14 152 24L161 60Q126 46 90 62Z", "currentColor")
        + band[suit]
        + _path("M96 130L112 122L125 136L138 122L154 130L125 160Z", LINEN)
        + _line("M96 130L125 160L154 130", GOLD, 2.6)
        + _staff(20)
        + _path("M203 26H238L228 46L238 66H203Z", "currentColor")
        + _suit(suit, 215, 46, 21, PAPER)
        + _path(_discs([(200, 18)], 5), GOLD)
        + _hand(skin)
    )


def _blossom(suit: str) -> str:
    match suit:
        case "C":
            petals = _path(_discs([(200, 44), (187, 64), (213, 64)], 14), "currentColor")
        case "D":
            petals = _path("M200 28L209 49L228 58L209 67L200 88L191 67L172 58L191 49Z", "currentColor")
        case "H":
            petals = _path("M178 36Q190 36 200 48Q210 36 222 36Q228 76 200 80Q172 76 178 36Z", "currentColor")
        case _:
            petals = _path(
                "M200 24Q214 40 210 52Q226 48 230 60Q218 78 200 78Q182 78 170 60Q174 48 190 52Q186 40 200 24Z",
                "currentColor",
            )
    return petals + _path(_discs([(200, 58)], 6.5), GOLD)


def queen(suit: str) -> str:
    """Return a lady in a veil, with a flower."""
    skin, hair = SKINS[suit], HAIRS[suit]
    veil = (
        "M125 26C90 26 80 56 78 96C77 120 70 134 56 150L90 162H160L194 150C180 134 173 120 172 96C170 56 160 26 125 26Z"
    )
    tips = {
        "C": _path(_discs([(125, 17), (111, 22), (139, 22)], 5.5), GOLD),
        "D": _path("M125 8L132 20L125 30L118 20ZM106 16L111 24L106 34L101 25ZM144 16L149 25L144 34L139 24Z", GOLD),
        "H": _path("M104 34Q106 12 115 18Q119 22 125 8Q131 22 135 18Q144 12 146 34Z", GOLD),
        "S": _path("M103 36L100 16L114 26L125 6L136 26L150 16L147 36Z", GOLD),
    }
    return (
        '<use href="#halo"/>'
        + tips[suit]
        + '<use href="#robe"/>'
        + _path(veil, "currentColor")
        + _path(
            "M125 38C100 38 91 58 91 88C91 112 98 130 92 144H158C152 130 159 112 159 88C159 58 150 38 125 38Z", hair
        )
        + _line("M46 162C72 140 84 122 85 96C87 58 98 33 125 33S163 58 165 96C166 122 178 140 204 162", GOLD, 3)
        + f'<use href="#face" fill="{skin}"/><use href="#shade"/><use href="#look"/>'
        + _path("M116.5 101Q121 98 125 100Q129 98 133.5 101Q125 109.5 116.5 101Z", LIPS)
        + _path("M125 47C112 52 101 64 97 88C93 66 98 44 125 44S157 66 153 88C149 64 138 52 125 47Z", hair)
        + _line("M125 38V57", GOLD, 2)
        + _path(_discs([(125, 60)], 4), GOLD)
        + _path(_discs([(97, 96), (153, 96)], 4.5), GOLD)
        + _path("M92 144Q112 132 114 126L125 138L136 126Q138 132 158 144L164 162H86Z", LINEN)
        + _path(_discs([(104, 141), (110, 147), (117, 151), (133, 151), (140, 147), (146, 141)], 2.8), GOLD)
        + _suit(suit, 125, 153, 13, "currentColor")
        + _line("M200 60V160", LEAF, 4)
        + _path("M200 118Q216 116 222 98Q204 98 200 118ZM200 108Q184 106 178 88Q196 88 200 108Z", LEAF)
        + _blossom(suit)
        + _hand(skin)
    )


def king(suit: str) -> str:
    """Return an old ruler with crown and beard, and what he rules with."""
    skin, hair, beard = SKINS[suit], HAIRS[suit], BEARDS[suit]
    crowns = {
        "C": "M92 58L86 32L106 42L113 26Q125 20 137 26L144 42L164 32L158 58Z",
        "D": "M92 58L86 22L106 40L125 12L144 40L164 22L158 58Z",
        "H": "M92 58C80 30 104 22 112 38C112 24 120 18 125 10C130 18 138 24 138 38C146 22 170 30 158 58Z",
        "S": "M92 58L84 28Q98 32 104 42Q112 34 125 8Q138 34 146 42Q152 32 166 28L158 58Z",
    }
    arms = {
        "C": _staff(60)
        + _path(_discs([(200, 46)], 17), GOLD)
        + _line("M183 46H217M200 29V63", "currentColor", 4)
        + _path("M196 12h8v6h6v7h-6v6h-8v-6h-6v-7h6z", GOLD),
        "D": _path("M196 126C193 88 198 50 228 18C226 60 215 94 206 126Z", STEEL)
        + _line("M201 124C201 92 206 62 222 34", "#fff9", 2)
        + _path("M182 123H220V130H182Z", GOLD)
        + _path(_discs([(182, 126.5), (220, 126.5)], 5), GOLD),
        "H": _staff(60) + _suit("H", 200, 46, 44, "currentColor") + _path("M188 70h24v6h-24z", GOLD),
        "S": _path("M193 126V36L200 18L207 36V126Z", STEEL)
        + _path("M200 18L207 36V126H200Z", "#fff6")
        + _path("M182 123H218V130H182Z", GOLD)
        + _path(_discs([(182, 126.5), (218, 126.5)], 5), GOLD),
    }
    return (
        '<use href="#halo"/><use href="#robe"/>'
        + _path("M91 56H159V96Q160 112 150 118H100Q90 112 91 96Z", hair if suit in "CD" else beard)
        + f'<use href="#face" fill="{skin}"/><use href="#shade"/><use href="#look"/>'
        + _path("M90 133Q108 124 125 124Q142 124 160 133L178 156Q125 149 72 156Z", LINEN)
        + _line("M90 133L72 156Q125 149 178 156L160 133", GOLD, 2.6)
        + _path(_discs([(85, 149), (96, 140), (154, 140), (165, 149)], 2.6), "currentColor")
        + _path(
            "M97 80C99 92 103 97 110 95Q117 91 125 95Q133 91 140 95C147 97 151 92 153 80"
            "C157 110 146 132 125 146C104 132 93 110 97 80Z",
            beard,
        )
        + _line("M118 104Q125 107 132 104", LIPS, 2.6)
        + _line("M104 73Q111 66.5 118 73M132 73Q139 66.5 146 73", beard, 4)
        + _path(crowns[suit], GOLD)
        + (_path(_discs([(86, 30), (125, 17), (164, 30)], 6.5), GOLD) if suit == "C" else "")
        + _path("M91 50Q125 43 159 50V61Q125 55 91 61Z", "currentColor")
        + _suit(suit, 125, 36, 16, "currentColor")
        + arms[suit]
        + _hand(skin)
    )


FIGURES = {"J": jack, "Q": queen, "K": king}
