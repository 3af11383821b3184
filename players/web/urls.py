"""The addresses of the pages about accounts."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
