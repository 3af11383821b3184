"""Where bots are in the API."""

from django.urls import path

from bots.api.bots import Bots

urlpatterns = [path("bots", Bots.as_view())]
