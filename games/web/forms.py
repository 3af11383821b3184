"""The forms of the lobby: a quick game, a table of one's own, a place."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from games.rules.ruleset import RULESETS, Ruleset, customised
from games.services.lobby import Clock, Plan
from games.web.glance import pace_in_words
from games.web.switches import SWITCHES
from games.web.words import RULESETS as TITLES
from games.web.words import level_in_words

PACES: dict[str, Clock] = {
    "live-15": Clock("live", 15),
    "live-30": Clock("live", 30),
    "live-60": Clock("live", 60),
    "hours-1": Clock("correspondence", 3_600),
    "hours-8": Clock("correspondence", 28_800),
    "days-1": Clock("correspondence", 86_400),
    "days-2": Clock("correspondence", 172_800),
    "days-3": Clock("correspondence", 259_200),
    "days-7": Clock("correspondence", 604_800),
    "none": Clock("untimed", None),
}
VISIBILITIES: dict[str, tuple[str | Promise, str | Promise]] = {
    "public": (_("Public"), _("Everybody finds the table in the list, and may watch.")),
    "unlisted": (_("By link"), _("Only who has the link finds it; anybody with an account may watch.")),
    "private": (_("Private"), _("Only who brings your invite gets in; nobody else may watch.")),
}


class SeededForm(forms.Form):
    """A form that a script of ours adds the player's own randomness to."""

    reservation = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    client_seed = forms.RegexField(r"\A[0-9a-f]{64}\Z", required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})

    @property
    def seed(self) -> bytes | None:
        """The 32 bytes that came along."""
        return bytes.fromhex(self.cleaned_data["client_seed"]) or None


def _levels() -> list[tuple[str, str]]:
    return [(level, level_in_words(level)) for level in settings.BOT_LEVELS]


def _explained(words: dict[str, tuple[str | Promise, str | Promise]], names: Any) -> list[tuple[str, str]]:
    return [(name, format_html("<b>{}</b> <span>{}</span>", *words[name])) for name in names]


def _rulesets() -> list[tuple[str, str]]:
    return [(name, str(TITLES[name][0])) for name in RULESETS]


def _rulesets_explained() -> list[tuple[str, str]]:
    return _explained(TITLES, RULESETS)


def _visibilities() -> list[tuple[str, str]]:
    return _explained(VISIBILITIES, VISIBILITIES)


def _paces() -> list[tuple[str, str]]:
    return [(name, pace_in_words(clock.kind, clock.per_turn_s)) for name, clock in PACES.items()]


class QuickForm(SeededForm):
    """A game with three bots at once."""

    ruleset = forms.ChoiceField(label=_("Rules"), choices=_rulesets)
    level = forms.ChoiceField(label=_("Bots"), choices=_levels)

    @property
    def rules(self) -> Ruleset:
        """The rules that were chosen; a card that is the only one plays itself."""
        return customised(self.cleaned_data["ruleset"], {"forced_cards": "at_once"})

    @property
    def plan(self) -> Plan:
        """The game that is asked for."""
        level = self.cleaned_data["level"]
        return Plan(
            ruleset=self.rules,
            clock=PACES["none"],
            bots=[level] * 3,
            fill_with=level,
            reservation=self.cleaned_data["reservation"] or None,
            client_seed=self.seed,
        )


class NewTableForm(SeededForm):
    """A table of one's own, with every switch of its rules."""

    ruleset = forms.ChoiceField(label=_("Rules"), choices=_rulesets_explained, widget=forms.RadioSelect)
    pace = forms.ChoiceField(label=_("Time per turn"), choices=_paces, initial="days-1")
    visibility = forms.ChoiceField(
        label=_("Who may come"), choices=_visibilities, widget=forms.RadioSelect, initial="public"
    )
    bots = forms.TypedChoiceField(
        label=_("Bots that sit down now"), choices=[(number, str(number)) for number in range(4)], coerce=int, initial=0
    )
    level = forms.ChoiceField(label=_("Their level"), choices=_levels, initial="medium")
    fill_with = forms.ChoiceField(
        label=_("Bots for places that stay empty"),
        help_text=_("They sit down when you start before all four places are taken."),
        choices=_levels,
        initial="medium",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, switch in SWITCHES.items():
            choices = [(str(value), words) for value, words in switch.values]
            if name != "forced_cards":
                choices.insert(0, ("", _("As in the rules above")))
            self.fields[name] = forms.ChoiceField(
                label=str(switch.title), help_text=str(switch.meaning), choices=choices, required=False
            )

    @property
    def switches(self) -> list[forms.BoundField]:
        """The fields of the house rules."""
        return [self[name] for name in SWITCHES]

    def clean(self) -> dict[str, Any]:
        """Refuse a table without a time limit where others would wait."""
        asked = super().clean() or self.cleaned_data
        if asked.get("pace") == "none" and asked.get("bots", 3) < 3:
            self.add_error("pace", _("Only a game with three bots can do without a time limit."))
        return asked

    @property
    def rules(self) -> Ruleset:
        """The ruleset with the switches that were set."""
        asked = self.cleaned_data
        options = {name: switch.value_of(asked[name]) for name, switch in SWITCHES.items() if asked[name]}
        return customised(asked["ruleset"], options)

    @property
    def plan(self) -> Plan:
        """The table that is asked for."""
        asked = self.cleaned_data
        return Plan(
            ruleset=self.rules,
            clock=PACES[asked["pace"]],
            visibility=asked["visibility"],
            bots=[asked["level"]] * asked["bots"],
            fill_with=asked["fill_with"],
            reservation=asked["reservation"] or None,
            client_seed=self.seed,
        )


class PlaceForm(SeededForm):
    """One of the four places at a table, and what opens it."""

    seat = forms.TypedChoiceField(choices=[(n, str(n)) for n in range(4)], coerce=int, required=False, empty_value=None)
    invite = forms.CharField(required=False, max_length=100)


class BotForm(forms.Form):
    """A bot for a place."""

    level = forms.ChoiceField(choices=_levels)
    seat = forms.TypedChoiceField(choices=[(n, str(n)) for n in range(4)], coerce=int, required=False, empty_value=None)
