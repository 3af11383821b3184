"""What a person does on a page: a form that is sent, by a script or without one."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views import View

from callbreak_site.errors import ServiceError
from callbreak_site.http import throttles
from callbreak_site.http.problems import status_of
from callbreak_site.web.refusals import in_words


class Act(View):
    """Answers one kind of form: done is a page to go to, refused is a sentence on the page it came from."""

    http_method_names = ("post", "options")
    lane = "write"
    """How often it may be done, see `throttles`."""

    def post(self, request: HttpRequest, **_: Any) -> HttpResponse:
        """Do it; a script gets JSON with `location` or `refusal`, everybody else is sent on."""
        try:
            if request.user.is_authenticated:
                throttles.spend(self.lane, f"player:{request.user.pk}")
            target = self.act(request)
        except ServiceError as refusal:
            words = self.words_for(refusal)
            if is_script(request):
                return JsonResponse({"code": refusal.code, "refusal": words}, status=status_of(refusal.code))
            messages.error(request, words)
            return redirect(self.back())
        if is_script(request):
            return JsonResponse({"location": target})
        return redirect(target, permanent=False)

    def act(self, request: HttpRequest) -> str:
        """Do what the form asks and return where to go; raises ServiceError."""
        raise NotImplementedError

    def back(self) -> str:
        """Return the page that shows a refusal."""
        return "/"

    def words_for(self, refusal: ServiceError) -> str:
        """Return what the page says of a refusal."""
        return in_words(refusal)


def is_script(request: HttpRequest) -> bool:
    """Tell whether a script of ours asks, which puts the answer into the page itself."""
    return request.headers.get("X-Requested-With") == "fetch"


def refused(request: HttpRequest, refusal: ServiceError) -> HttpResponse:
    """Return a page of its own for a refusal of a page."""
    return render(request, "site/refused.html", {"words": in_words(refusal)}, status=status_of(refusal.code))
