"""The addresses of the pages."""

from django.urls import URLPattern, include, path, re_path

from games.web import deals, replay, table

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
    path("deals", deals.Deals.as_view(), name="deals"),
]
urlpatterns = [
    re_path("^games/(?P<game_id>[0-9a-f]{32})/", include(at_a_table)),
    path("fair-deals/", deals.fair_deals, name="fair-deals"),
]
