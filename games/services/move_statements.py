"""The statements of plain moves: each changes all that a move changes, if the game still is where the move found it.

Their parts name what they find as `moved`: the game's row, as the first part left it.
"""

from games.services.moves import GRACE

BID = "hand AS (UPDATE games_hand SET bid = %(bid)s FROM moved WHERE games_hand.id = %(hand)s)"
PLAY = """
    play AS (
        INSERT INTO games_play (round_id, trick_number, "order", seat, card)
        SELECT %(round)s, %(trick)s, %(order)s, %(seat)s, %(card)s FROM moved
    )"""
HAND = """
    hand AS (
        UPDATE games_hand SET held = held - (1::bigint << %(card)s) FROM moved WHERE games_hand.id = %(hand)s
    )"""
LEAD = """
    trick AS (INSERT INTO games_trick (round_id, number, leader) SELECT %(round)s, %(trick)s, %(seat)s FROM moved)"""
WIN = """
    trick AS (
        UPDATE games_trick SET winner = %(winner)s FROM moved WHERE round_id = %(round)s AND number = %(trick)s
    ), won_event AS (
        INSERT INTO games_event (game_id, version, type, seat, at, public, private)
        SELECT id, %(version)s + 2, 'trick.won', %(winner)s, changed_at, %(won)s::jsonb, '{}' FROM moved
    )"""
# One row can't be changed twice in a statement: the winner's hand may be the one that the card came from.
HANDS_AFTER_TRICK = """
    hand AS (
        UPDATE games_hand SET held = held - (1::bigint << %(card)s) * (games_hand.id = %(hand)s)::int,
            tricks = tricks + (games_hand.id = %(winning_hand)s)::int
        FROM moved WHERE games_hand.id IN (%(hand)s, %(winning_hand)s)
    )"""
HANDS_AFTER_ROUND = """
    hand AS (
        UPDATE games_hand SET held = 0, tricks = scored.tricks, score_tenths = scored.tenths
        FROM moved, unnest(%(hands)s::bigint[], %(tricks)s::int[], %(scores)s::int[]) AS scored (hand, tricks, tenths)
        WHERE games_hand.id = scored.hand
    )"""
SCORE = """
    total AS (
        UPDATE games_seat SET total_tenths = total.tenths, place = total.place
        FROM moved, unnest(%(totals)s::int[], %(places)s::int[]) WITH ORDINALITY AS total (tenths, place, nth)
        WHERE game_id = moved.id AND number = total.nth - 1
    ), scored_event AS (
        INSERT INTO games_event (game_id, version, type, at, public, private)
        SELECT id, %(version)s + 3, 'round.scored', changed_at, %(scored)s::jsonb, '{}' FROM moved
    )"""
CLOSE = """
    closed AS (
        UPDATE games_round SET finished_at = changed_at FROM moved WHERE games_round.id = %(round)s
        RETURNING game_id
    )"""
# The new round comes out of the old one: a game has one unfinished round at a time, row by row.
DEAL = """
    opened AS (
        INSERT INTO games_round (game_id, number, dealer, redeals)
        SELECT game_id, %(round_number)s, %(dealer)s, '[]' FROM closed
        RETURNING id
    ), dealt AS (
        INSERT INTO games_hand (round_id, seat_id, dealt, held, tricks)
        SELECT opened.id, seat.id, hand.cards, hand.cards, 0
        FROM opened, unnest(%(dealt)s::bigint[]) WITH ORDINALITY AS hand (cards, place)
        JOIN games_seat seat ON seat.game_id = %(game)s AND seat.number = hand.place - 1
    ), dealt_event AS (
        INSERT INTO games_event (game_id, version, type, at, public, private)
        SELECT id, %(version)s + 4, 'round.dealt', changed_at, %(told)s::jsonb, %(told_apart)s::jsonb FROM moved
    )"""
FINISH = """
    finished_event AS (
        INSERT INTO games_event (game_id, version, type, at, public, private)
        SELECT id, %(version)s + 4, 'game.finished', changed_at, %(told)s::jsonb, '{}' FROM moved
    )"""
TURN = """turn_seat = %(turn)s, turn_action = %(action)s, is_bots_turn = %(is_bots_turn)s,
            turn_ends_at = statement_timestamp() + make_interval(secs => per_turn_s)"""
NO_TURN = """turn_seat = NULL, turn_action = NULL, is_bots_turn = false, turn_ends_at = NULL, status = 'finished',
            ended_at = statement_timestamp()"""
TRICK = ", trick_number = %(trick_number)s, trick_leader = %(leader)s, trick_cards = %(cards)s::jsonb"
LAST_TRICK = TRICK + ", last_trick = %(last_trick)s::jsonb"
SCOREBOARD = LAST_TRICK + ", scoreboard = scoreboard || %(score)s::jsonb"
ROUND = SCOREBOARD + ", round_number = %(round_number)s, dealer = %(dealer)s, redeals = 0"


def statement(*changes: str, position: str = "", turn: str = TURN) -> str:
    """Return the statement that moves a game on, with *changes* to its other rows and to more of its *position*."""
    return f"""
    WITH moved AS (
        UPDATE games_game SET
            version = version + %(events)s, changed_at = statement_timestamp(), last_acts = %(last_acts)s::jsonb,
            {turn}{position}
        WHERE id = %(game)s AND version = %(version)s AND status = 'active'
          AND (is_bots_turn OR turn_ends_at IS NULL
               OR statement_timestamp() <= turn_ends_at + make_interval(secs => {GRACE.total_seconds()}))
        RETURNING id, version, changed_at, turn_ends_at
    ), event AS (
        INSERT INTO games_event (game_id, version, type, seat, at, public, private)
        SELECT id, %(version)s + 1, %(type)s, %(seat)s, changed_at, %(public)s::jsonb, '{{}}' FROM moved
    ), {", ".join(changes)}
    SELECT version, changed_at, turn_ends_at FROM moved
    """  # noqa: S608 - made of constants


A_BID = statement(BID)
A_LEAD = statement(PLAY, HAND, LEAD, position=TRICK)
A_CARD = statement(PLAY, HAND, position=TRICK)
THE_LAST_OF_A_TRICK = statement(PLAY, HANDS_AFTER_TRICK, WIN, position=LAST_TRICK)
THE_LAST_OF_A_ROUND = statement(PLAY, HANDS_AFTER_ROUND, WIN, SCORE, CLOSE, DEAL, position=ROUND)
THE_LAST_OF_A_GAME = statement(PLAY, HANDS_AFTER_ROUND, WIN, SCORE, CLOSE, FINISH, position=SCOREBOARD, turn=NO_TURN)
