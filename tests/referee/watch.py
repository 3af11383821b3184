"""Follow one game as one viewer and check everything that the contract promises about what this viewer gets."""

import json
import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from . import leaks, rounds, shapes, states
from .client import blame
from .compare import without_clock
from .shapes import must, same
from .story import Story, check_story_against_round, check_story_against_state

TRIES = 8
CLOCK_SLACK_S = 4


class Watcher:
    """One viewer of one game; *is_seated* says whether it holds a seat, *client* speaks for it."""

    def __init__(self, client, game_id, is_seated):
        self.client = client
        self.path = f"games/{game_id}"
        self.game_id = game_id
        self.is_seated = is_seated
        self.state = None
        self.etag = None
        self.etag_state = None
        self.fairness = None
        self.secrets = None
        self.story = None
        self.finished_rounds = {}
        self.has_started = False

    def take(self, exchange):
        """Check a state that came in the answer *exchange*, remember it, and return it."""
        with blame(exchange):
            state = exchange.answer
            self.check_state(state)
            self.check_leaks(exchange, state)
            self.check_move(state)
            self.state = state
            return state

    def rounds_over(self, state):
        """Return the numbers of the rounds whose secrets may be seen as of *state*; 0 is the draw."""
        self.has_started |= state["status"] in ("active", "finished") or bool(self.story and self.story.is_started)
        return {0, *(row["round"] for row in state["scoreboard"])} if self.has_started else set()

    def check_state(self, state):
        """Raise Wrong unless *state* holds by itself and is of this game and for this viewer."""
        states.check_state(state)
        same(state["id"], self.game_id, "id")
        must((state["you"] is not None) == self.is_seated, f"`you` is {state['you']!r} for {self.client.name}")
        if state["turn"] and state["turn"]["deadline"]:
            self.check_deadline(state["turn"])

    def check_deadline(self, turn):
        """Raise Wrong unless *deadline* is as far ahead as *seconds_left* says, by the clock of the answer."""
        date = self.client.exchanges[-1].headers.get("Date")
        now = parsedate_to_datetime(date) if date else datetime.now(UTC)
        ahead_s = max(0, (datetime.fromisoformat(turn["deadline"]) - now).total_seconds())
        off_s = abs(ahead_s - turn["seconds_left"])
        must(off_s <= CLOCK_SLACK_S, f"deadline is {ahead_s} s ahead, seconds_left {turn['seconds_left']}")

    def check_move(self, state):
        """Raise Wrong unless *state* can come after the one seen before."""
        before = self.state
        if before is None:
            return
        must(state["version"] >= before["version"], f"version fell from {before['version']} to {state['version']}")
        if state["version"] == before["version"]:
            same(without_clock(state), without_clock(before), "the state at an unchanged version")
        kept = state["scoreboard"][: len(before["scoreboard"])]
        same(kept, before["scoreboard"], "the scoreboard seen before")
        same(state["ruleset"], before["ruleset"], "the ruleset seen before")
        if before["status"] != "open":
            must(state["status"] in (before["status"], "finished", "cancelled", "void"), f"now {state['status']}")
        if before["status"] in ("finished", "cancelled", "void"):
            same(state["status"], before["status"], "the status of a game that is over")

    def known_now(self, state):
        """Return the cards that a state may name to this viewer."""
        known = {seat["drawn_card"] for seat in state["seats"] if seat["drawn_card"]}
        if state["you"]:
            known |= set(state["you"]["hand"])
        if state["round"]:
            plays = list(state["round"]["trick"])
            if state["round"]["last_trick"]:
                plays += state["round"]["last_trick"]["plays"]
            known |= {play["card"] for play in plays}
        return known

    def check_leaks(self, exchange, state, extra=()):
        """Raise Wrong when *exchange* names a card that this viewer may not know in *state*, or a secret too early."""
        if exchange.text:
            leaks.check_no_number_is_a_hand(exchange.answer)
        strange = leaks.cards_shown(exchange) - self.known_now(state) - set(extra)
        if strange and state["status"] == "active":
            strange -= self.known_of_round(state["round"]["number"])
        if state["status"] != "finished":
            must(not strange, f"{self.client.name} is shown {sorted(strange)}")
        if self.secrets:
            self.secrets.check(exchange.text, self.rounds_over(state))

    def known_of_round(self, number):
        """Return the viewer's own cards and those played in the running round, asked for afresh."""
        detail = self.client.get(f"{self.path}/rounds/{number}")
        own = {card for hand in detail["hands"] for card in hand["dealt"] or ()}
        return own | {card for _, card in rounds.all_plays(detail)}

    def check_refusal(self, exchange):
        """Check the body of a refusal in this game: no card but known ones and those sent; `current` is the state."""
        with blame(exchange):
            state = self.state
            problem = exchange.answer
            if "current" in problem:
                self.check_state(problem["current"])
                self.check_move(problem["current"])
                self.state = state = problem["current"]
            sent = leaks.cards_in_text(json.dumps(exchange.sent, ensure_ascii=False))
            self.check_leaks(exchange, state, sent)
        return exchange

    def look(self):
        """Read the state, check its ETag both ways, and return it."""
        before, etag = self.etag_state, self.etag
        exchange = self.client.ask("GET", self.path, expect=200)
        state = self.take(exchange)
        with blame(exchange):
            self.etag, self.etag_state = exchange.headers.get("ETag", ""), state
            must(len(self.etag.strip('W/"')) > 0, "a state without an ETag")
            if before and etag:
                is_same = without_clock(before) == without_clock(state)
                must(
                    is_same == (etag == self.etag), f"ETag {self.etag}, before {etag}; the state is the same: {is_same}"
                )
        again = self.client.ask("GET", self.path, headers={"If-None-Match": f'"other", {self.etag}'}, expect=(200, 304))
        with blame(again):
            if again.status == 304:
                same(again.headers.get("ETag"), self.etag, "ETag of a 304")
                must(not leaks.cards_shown(again), "a 304 that names cards")
            else:
                self.take(again)
                changed = without_clock(self.state) != without_clock(state)
                must(changed, "If-None-Match with the right ETag is answered 200 with the same state")
                self.etag, self.etag_state = again.headers.get("ETag"), self.state
        return self.state

    def look_deep(self):
        """Read state, events, running round, proofs and commitments, and check them against each other."""
        for attempt in range(TRIES):
            time.sleep(0.1 * attempt)
            before = self.look()
            self.follow_events()
            detail, proof = self.running_round(before)
            if self.look()["version"] == before["version"] == self.story.version:
                break
        else:
            must(False, f"the state never stood at the version of the last event, {self.story.version}")
        with blame(self.client.exchanges[-1]):
            if before["status"] == "active":
                self.check_running_round(before, detail, proof)
        self.check_commitments()
        self.check_over()
        return self.state

    def running_round(self, state):
        """Return the running round and its proof, None twice without one; both are nobody's to keep."""
        if state["status"] != "active":
            return None, None
        answers = []
        for path in ("", "/proof"):
            exchange = self.client.ask("GET", f"{self.path}/rounds/{state['round']['number']}{path}", expect=200)
            with blame(exchange):
                if not exchange.answer.get("finished") and not exchange.answer.get("server_seed"):
                    control = exchange.headers.get("Cache-Control", "")
                    must("no-store" in control and "private" in control, f"Cache-Control {control!r}")
            answers.append(exchange)
        self.client.refused(404, "not_found", "GET", f"{self.path}/rounds/{state['round']['number'] + 1}")
        self.client.refused(404, "not_found", "GET", f"{self.path}/rounds/{state['round']['number'] + 1}/proof")
        return answers

    def check_running_round(self, state, detail, proof):
        """Raise Wrong unless events, round and proof of an active game agree with *state* at the same version."""
        check_story_against_state(self.story, state)
        with blame(detail):
            seat = state["you"]["seat"] if state["you"] else None
            rounds.check_round(detail.answer, state["ruleset"], seat)
            rounds.check_state_against_round(state, detail.answer)
            same(len(detail.answer["redeals"]), self.story.round.redeals, "the redeals, from the events")
            own = set(detail.answer["hands"][seat]["dealt"]) if state["you"] else set()
            gone = {card for _, card in rounds.all_plays(detail.answer)}
            strange = leaks.cards_shown(detail) - own - gone
            must(not strange, f"{self.client.name} is shown {sorted(strange)}")
        with blame(proof):
            self.check_commitments()
            rounds.check_proof(proof.answer, state["round"]["number"], self.fairness, is_over=False)
            same(proof.answer["dealer"], state["round"]["dealer"], "proof.dealer")
            same(proof.answer["redeals"], self.story.round.redeals, "proof.redeals")
            must(not leaks.cards_shown(proof), f"the proof of a running round shows {leaks.cards_shown(proof)}")
            self.secrets.check(proof.text, self.rounds_over(state))

    def follow_events(self):
        """Read the events after those told and follow them."""
        if self.story is None:
            self.story = Story(self.state["ruleset"], self.is_seated)
        url = f"{self.path}/events?after={self.story.version}"
        while url:
            exchange = self.client.ask("GET", url, expect=200)
            with blame(exchange):
                shapes.check(exchange.answer, shapes.PAGE, "events")
                for event in exchange.answer["results"]:
                    self.story.add(event)
                if self.secrets:
                    self.secrets.check(exchange.text, self.rounds_over(self.state))
                more, url = bool(exchange.answer["results"]), exchange.answer["next"]
                must(more or not url, "an empty page of events with a next one")

    def check_commitments(self):
        """Read the commitments: they are whole, and what they were."""
        exchange = self.client.ask("GET", f"{self.path}/fairness", expect=200)
        with blame(exchange):
            fairness, state = exchange.answer, self.state
            shapes.check(fairness, shapes.FAIRNESS, "fairness")
            same(fairness["game_id"], state["id"], "fairness.game_id")
            count = (state["ruleset"]["rounds"] or 250) + 1
            same([entry["round"] for entry in fairness["commitments"]], list(range(count)), "the rounds committed to")
            must(len({entry["hash"] for entry in fairness["commitments"]}) == count, "a commitment twice")
            same(fairness["seeded"], state["fairness"]["seeded"], "fairness.seeded")
            is_started = state["status"] in ("active", "finished")
            if is_started:
                must(fairness["seat_seeds"] is not None, "no seat_seeds after the start")
                brought = [seed != "0" * 64 for seed in fairness["seat_seeds"]]
                same(fairness["seeded"], brought, "seeded, from the seeds")
            elif state["status"] == "open":
                same(fairness["seat_seeds"], None, "seat_seeds before the start")
            if self.fairness:
                same(fairness["commitments"], self.fairness["commitments"], "the commitments seen before")
                if self.fairness["seat_seeds"]:
                    same(fairness["seat_seeds"], self.fairness["seat_seeds"], "the seat_seeds seen before")
            self.fairness = fairness
            self.secrets = self.secrets or leaks.Secrets(fairness)
            self.secrets.check(exchange.text, self.rounds_over(state))
            must(not leaks.cards_shown(exchange), "the commitments show cards")

    def check_over(self):
        """Read the proof of round 0 and every finished round that was not read yet, with its proof, and check them."""
        zero = self.client.ask("GET", f"{self.path}/rounds/0/proof", expect=200)
        with blame(zero):
            is_over = bool(self.rounds_over(self.state))
            rounds.check_proof(zero.answer, 0, self.fairness, is_over)
            if self.state["status"] in ("active", "finished"):
                rounds.check_seating(zero.answer, self.state, self.fairness)
            elif not is_over:
                same((zero.answer["seat_seeds"], zero.answer["joined"]), (None, None), "seat_seeds and joined")
        for row in self.state["scoreboard"]:
            if row["round"] not in self.finished_rounds:
                self.check_finished_round(row["round"])

    def check_finished_round(self, number):
        """Read round *number*, which is over, with its proof, and check them against all that is known."""
        exchange = self.client.ask("GET", f"{self.path}/rounds/{number}", expect=200)
        ruleset = self.state["ruleset"]
        with blame(exchange):
            detail = exchange.answer
            rounds.check_round(detail, ruleset, None)
            rounds.check_finished_against_state(self.state, detail)
            check_story_against_round(self.story, detail)
            leaks.check_no_number_is_a_hand(detail)
        proof = self.client.ask("GET", f"{self.path}/rounds/{number}/proof", expect=200)
        with blame(proof):
            rounds.check_proof(proof.answer, number, self.fairness, is_over=True)
            rounds.check_round_against_proof(detail, proof.answer, ruleset)
        self.finished_rounds[number] = detail
