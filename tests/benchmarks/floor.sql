-- One play with nothing around it: lock the game's row, insert a play, update the game, insert an event.
BEGIN;
SELECT version FROM floor_game WHERE id = :client_id FOR NO KEY UPDATE \gset
INSERT INTO floor_play (game_id, round, card, seat) VALUES (:client_id, :version / 52, :version % 52, :version % 4);
UPDATE floor_game SET version = version + 1, turn = (:version + 1) % 4, changed_at = now() WHERE id = :client_id;
INSERT INTO floor_event (game_id, version, kind, at, body)
VALUES (:client_id, :version, 'card.played', now(), '{"round": 1, "trick": 1, "card": "AS", "by": "person"}');
COMMIT;
