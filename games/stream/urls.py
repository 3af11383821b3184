"""The address of a game's stream."""

from django.urls import re_path

from games.stream.views import stream

urlpatterns = [re_path("^games/(?P<game_id>[0-9a-f]{32})/stream$", stream, name="stream")]
