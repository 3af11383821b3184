"""Check a Callbreak deal by yourself: needs nothing but Python and the JSON that the service shows.

    python deal.py proof.json [fairness.json]

where proof.json is the answer of /api/v1/games/{id}/rounds/{n}/proof and fairness.json that of
/api/v1/games/{id}/fairness, kept since before the game began if you trust nobody.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path

PACK = [rank + suit for suit in "CDHS" for rank in "23456789TJQKA"]


def lp(*fields):
    """Return *fields* joined, each after its length as four bytes."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def commitment(game_id, number, secret):
    """Return the hash by which the service bound itself to *secret* before the game."""
    return hashlib.sha256(lp(b"callbreak-commit/1", game_id, bytes([number]), secret)).hexdigest()


def key_of(secret, game_id, number, seeds, redeals=0):
    """Return the key of one deal; *seeds* are the four that the seats brought."""
    again = [bytes([redeals])] if redeals else []
    message = lp(b"callbreak-deal/1", game_id, bytes([number]), *seeds, *again)
    return hmac.new(secret, message, hashlib.sha256).digest()


def words(key):
    """Yield the endless 32-bit words of *key*."""
    counter = 0
    while True:
        block = hmac.new(key, counter.to_bytes(8, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        counter += 1


def shuffled(key):
    """Return the pack in the order of dealing."""
    stream, pack = words(key), list(PACK)
    for top in range(51, 0, -1):
        limit = 2**32 - 2**32 % (top + 1)
        index = next(word for word in stream if word < limit) % (top + 1)
        pack[top], pack[index] = pack[index], pack[top]
    return pack


def hands_of(deck, dealer):
    """Return the four hands by seat, dealt one card at a time from the seat after *dealer*."""
    hands = [[], [], [], []]
    for at, card in enumerate(deck):
        hands[(dealer + 1 + at) % 4].append(card)
    return hands


def parts(proof):
    """Return secret, game id, round number and seeds of *proof* as bytes; ValueError while the secret is kept."""
    if proof["server_seed"] is None:
        raise ValueError(f"round {proof['round']} is not over: its secret is not shown yet")
    seeds = [bytes.fromhex(seed) for seed in proof["seat_seeds"]]
    return bytes.fromhex(proof["server_seed"]), bytes.fromhex(proof["game_id"]), proof["round"], seeds


def faults_of(proof, fairness=None):
    """Return what is wrong with *proof*, a list of sentences; empty when all of it holds."""
    secret, game_id, number, seeds = parts(proof)
    key = key_of(secret, game_id, number, seeds, proof["redeals"])
    faults = []
    if [len(secret), len(game_id), *map(len, seeds)] != [32, 16, 32, 32, 32, 32]:
        faults.append("a secret, seed or id has the wrong length")
    if commitment(game_id, number, secret) != proof["commitment"].lower():
        faults.append("the secret is not the one that was committed to")
    if shuffled(key) != proof["deck"]:
        faults.append("the deck is not the one that these seeds give")
    if fairness is not None:
        shown = {entry["round"]: entry["hash"].lower() for entry in fairness["commitments"]}
        if fairness["game_id"].lower() != proof["game_id"].lower():
            faults.append("the commitments are of another game")
        elif shown.get(number) != proof["commitment"].lower():
            faults.append("the commitment differs from the one shown before the game")
        if fairness["seat_seeds"] and sorted(fairness["seat_seeds"]) != sorted(proof["seat_seeds"]):
            faults.append("the seeds of the seats differ from those shown with the commitments")
        elif fairness["seat_seeds"] and number and fairness["seat_seeds"] != proof["seat_seeds"]:
            faults.append("the seeds of the seats are in another order than those shown with the commitments")
    return faults


def say(line):
    """Print *line*."""
    sys.stdout.write(line + "\n")


def main(paths):
    """Print what the proof in the file says and whether it holds; return the exit status."""
    proof, *fairness = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    try:
        faults = faults_of(proof, *fairness)
    except ValueError as refusal:
        faults = [str(refusal)]
    for fault in faults:
        say(f"WRONG: {fault}")
    if faults:
        return 1
    say(f"Round {proof['round']} of game {proof['game_id']}: the secret, the deck and the commitment agree.")
    if proof["round"]:
        for seat, hand in enumerate(hands_of(proof["deck"], proof["dealer"])):
            say(f"  seat {seat}: {' '.join(sorted(hand, key=PACK.index))}")
    else:
        secret, game_id, _, seeds = parts(proof)
        say(f"  drawn in order of joining: {' '.join(proof['deck'][:4])}")
        say(f"  first dealer where seats are not drawn: seat {next(words(key_of(secret, game_id, 0, seeds))) % 4}")
    return 0


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:]))
