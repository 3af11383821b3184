"""Where games are in the API."""

from django.urls import path

from games.api import lobby, people, reading, records, table

urlpatterns = [
    path("games/reservations", lobby.Reservations.as_view()),
    # Looked through from the top, so what is asked for most comes first.
    path("games/<id:game_id>", lobby.Game.as_view(), name="api-game"),
    path("games/<id:game_id>/plays", table.Plays.as_view()),
    path("games/<id:game_id>/bids", table.Bids.as_view()),
    path("games/<id:game_id>/events", reading.Events.as_view()),
    path("rulesets", reading.Rulesets.as_view()),
    path("games", lobby.Games.as_view()),
    path("games/<id:game_id>/seats", lobby.Seats.as_view()),
    path("games/<id:game_id>/seats/me", lobby.MySeat.as_view()),
    path("games/<id:game_id>/seats/<number:seat>", lobby.OneSeat.as_view()),
    path("games/<id:game_id>/bots", lobby.Bots.as_view()),
    path("games/<id:game_id>/start", lobby.Start.as_view()),
    path("games/<id:game_id>/resign", table.Resignation.as_view()),
    path("games/<id:game_id>/finish-vote", table.FinishVote.as_view()),
    path("games/<id:game_id>/rematch", table.Rematch.as_view()),
    path("games/<id:game_id>/rounds/<number:number>", records.Round.as_view()),
    path("games/<id:game_id>/rounds/<number:number>/proof", records.Proof.as_view()),
    path("games/<id:game_id>/fairness", records.Fairness.as_view()),
    path("games/<id:game_id>/export", records.Export.as_view()),
    path("me/turns", people.MyTurns.as_view()),
    path("players/<str:username>/stats", people.Stats.as_view()),
    path("players/<str:username>/games", people.GamesOfPlayer.as_view()),
]
