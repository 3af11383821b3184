"""The addresses of the pages about accounts."""

from django.urls import URLPattern, path

from players.web import access, entering, passwords, settings

urlpatterns: list[URLPattern] = [
    path("account/sign-up", entering.SignUp.as_view(), name="sign-up"),
    path("account/sign-in", entering.SignIn.as_view(), name="sign-in"),
    path("account/sign-out", entering.SignOut.as_view(), name="sign-out"),
    path("account/", settings.Settings.as_view(), name="settings"),
    path("account/sound", settings.Sound.as_view(), name="sound"),
    path("account/email", settings.ChangeEmail.as_view(), name="account-email"),
    path("account/close", settings.CloseAccount.as_view(), name="account-close"),
    path("account/password", passwords.ChangePassword.as_view(), name="account-password"),
    path("account/forgotten", passwords.AskReset.as_view(), name="forgotten-password"),
    path("account/forgotten/<uidb64>", passwords.Reset.as_view(), name="reset-password"),
    path("account/sessions", access.Visits.as_view(), name="account-visits"),
    path("account/sessions/end", access.EndVisits.as_view(), name="end-visits"),
    path("account/sessions/<uuid:visit_id>/end", access.EndVisit.as_view(), name="end-visit"),
    path("account/tokens", access.Tokens.as_view(), name="account-tokens"),
    path("account/tokens/<uuid:token_id>/revoke", access.RevokeToken.as_view(), name="revoke-token"),
]
