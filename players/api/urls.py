"""Where accounts are in the API."""

from django.urls import path

from callbreak_site.http.limits import Limits
from players.api import accounts, tokens

urlpatterns = [
    path("players", accounts.Players.as_view()),
    path("players/guest", accounts.Guests.as_view()),
    path("players/<str:username>", accounts.Profile.as_view()),
    path("sessions", accounts.Sessions.as_view()),
    path("me", accounts.Me.as_view()),
    path("me/password", accounts.MyPassword.as_view()),
    path("tokens", tokens.Tokens.as_view()),
    path("tokens/<id:token_id>", tokens.OneToken.as_view()),
    path("limits", Limits.as_view()),
]
