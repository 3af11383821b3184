"""Pages for what went wrong, in the site's own face; the worst of them ask nothing of the database."""

import sys

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from callbreak_site.errors import Code, ServiceError
from callbreak_site.http import outside
from callbreak_site.http.problems import as_refusal, status_of
from callbreak_site.web.acts import is_script
from callbreak_site.web.refusals import in_words


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for an address where nothing is."""
    return page(request, _("There is no such page."), 404)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer for what is not allowed."""
    return page(request, _("You may not do this."), 403)


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token: another site's, or one that was open for too long."""
    words = _("This form is too old, or not one of ours. Go back, load the page again and retry.")
    if is_script(request):
        return JsonResponse({"code": "stale_form", "refusal": words}, status=403)
    return page(request, words, 403)


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer a request that no browser of a person would send."""
    if outside.is_for_api(request):
        return outside.bad_request(exception)
    return plain(_("This request makes no sense to us."), 400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer what nobody foresaw, or for a database that is away."""
    error = sys.exc_info()[1]
    assert isinstance(error, Exception)  # Django asks only while it handles one
    refusal = as_refusal(error)
    if outside.is_for_api(request):
        return outside.refused(refusal)
    answer = plain(in_words(refusal), status_of(refusal.code), refusal)
    if refusal.code is Code.UNAVAILABLE:
        answer.headers["Retry-After"] = str(refusal.extra.get("retry_after", 2))
    return answer


def page(request: HttpRequest, words: str, status: int) -> HttpResponse:
    """Return a whole page with one sentence."""
    return render(request, "site/refused.html", {"words": words}, status=status)


def plain(words: str, status: int, refusal: ServiceError | None = None) -> HttpResponse:
    """Return a page that needs neither a session nor a person."""
    mark = refusal.extra.get("instance", "") if refusal else ""
    return HttpResponse(render_to_string("site/broken.html", {"words": words, "mark": mark}), status=status)
