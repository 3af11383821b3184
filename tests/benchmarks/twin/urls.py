"""Where the twin is: at the product's own address, so that both get the same bytes."""

from django.urls import path

from tests.benchmarks.twin.views import PlayView

urlpatterns = [path("api/v1/games/<id:game_id>/plays", PlayView.as_view())]
