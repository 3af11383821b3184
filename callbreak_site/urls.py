"""The whole map of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from drf_spectacular.views import SpectacularSwaggerSplitView

from callbreak_site import health
from callbreak_site.http.description import Description
from callbreak_site.http.views import UnknownPath
from callbreak_site.metrics.views import metrics
from callbreak_site.web import installing
from players.admin.own_password import OwnPassword
from players.web.language import set_language

api: list[URLPattern | URLResolver] = [
    path("", include("games.api.urls")),
    path("", include("players.api.urls")),
    path("", include("bots.api.urls")),
    path("openapi.json", Description.as_view(), name="schema"),
]

urlpatterns = [
    path("api/v1/", include(api)),
    path("", include("games.stream.urls")),
    path("", include("games.web.urls")),
    path("", include("players.web.urls")),
    path("language", set_language, name="set-language"),
    path("manifest.webmanifest", installing.manifest, name="manifest"),
    path("sw.js", installing.worker, name="worker"),
    path("offline", installing.offline, name="offline"),
    path("healthz", health.healthz),
    path("readyz", health.readyz),
    path("metrics", metrics),
    path("api/docs", SpectacularSwaggerSplitView.as_view(url_name="schema"), name="docs"),
    re_path(r"^api(?:/|$)", UnknownPath.as_view()),
    path("admin/password_change/", admin.site.admin_view(OwnPassword.as_view())),
    path("admin/", admin.site.urls),
]

handler400 = "callbreak_site.web.failures.bad_request"
handler403 = "callbreak_site.web.failures.forbidden"
handler404 = "callbreak_site.web.failures.not_found"
handler500 = "callbreak_site.web.failures.server_error"
