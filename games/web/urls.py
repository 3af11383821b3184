"""The addresses of the pages."""

from django.urls import URLPattern, include, path, re_path

from games.web import deals, home, lobby, people, replay, rules_pages, table
from games.web.forms import QuickForm

at_a_table: list[URLPattern] = [
    path("", table.GamePage.as_view(), name="game"),
    path("table", table.Fragment.as_view(), name="fragment"),
    path("news", table.News.as_view(), name="news"),
    path("bid", table.Bid.as_view(), name="bid"),
    path("play", table.Play.as_view(), name="play"),
    path("resign", table.Resign.as_view(), name="resign"),
    path("vote", table.Vote.as_view(), name="vote"),
    path("rematch", table.Rematch.as_view(), name="rematch"),
    path("replay", replay.Replay.as_view(), name="replay"),
    path("replay.txt", replay.Download.as_view(), name="replay-text"),
    path("replay.json", replay.Download.as_view(kind="json"), name="replay-json"),
    path("deals", deals.Deals.as_view(), name="deals"),
    path("deals/<int:number>.json", deals.DealProof.as_view(), name="deal-proof"),
    path("join", lobby.Join.as_view(), name="join"),
    path("leave", lobby.Leave.as_view(), name="leave"),
    path("start", lobby.Start.as_view(), name="start"),
    path("fill", lobby.Fill.as_view(), name="fill"),
    path("free", lobby.Free.as_view(), name="free"),
    path("cancel", lobby.Cancel.as_view(), name="cancel"),
    path("deals.json", lobby.Commitments.as_view(), name="commitments"),
]
urlpatterns = [
    path("", home.Home.as_view(), name="home"),
    path("play", lobby.PlayNow.as_view(), name="play-now"),
    path("play/reserve", lobby.Reserve.as_view(form=QuickForm), name="reserve-quick"),
    path("games/", home.Tables.as_view(), name="tables"),
    path("games/new", lobby.NewTable.as_view(), name="new-table"),
    path("games/reserve", lobby.Reserve.as_view(), name="reserve"),
    re_path("^games/(?P<game_id>[0-9a-f]{32})/", include(at_a_table)),
    path("players/<str:username>/", people.Profile.as_view(), name="profile"),
    path("fair-deals/", deals.fair_deals, name="fair-deals"),
    path("rules/", rules_pages.rules, name="rules"),
    path("rules/<slug:name>/", rules_pages.rules_of, name="rules-of"),
]
