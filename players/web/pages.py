"""The shape of the pages about accounts: a form that is shown, sent, and shown again with what is wrong."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.functional import Promise
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.views import View
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from callbreak_site.errors import Code, ServiceError
from callbreak_site.web.acts import Act
from players.terms import Kind
from players.web.forms import Form
from players.web.visitors import player

SECRETS = ("password", "new")


@method_decorator([never_cache, sensitive_post_parameters(*SECRETS)], name="dispatch")
class FormPage(View):
    """A page with one form."""

    http_method_names = ("get", "head", "post", "options")
    form: ClassVar[type[Form]]
    template: ClassVar[str]
    done: ClassVar[str | Promise] = ""

    def get(self, request: HttpRequest, **_: Any) -> HttpResponseBase:
        """Show the form."""
        return self.show(self.form_class()(initial=self.initial()))

    def post(self, request: HttpRequest, **_: Any) -> HttpResponseBase:
        """Do what the form asks, or say what is wrong with it."""
        form = self.form_class()(request.POST)
        if not form.is_valid():
            return self.show(form)
        try:
            answer = self.act(form.cleaned_data)
        except ServiceError as refusal:
            form.refuse(refusal)
            too_often = refusal.code == Code.RATE_LIMITED
            return self.show(form, HTTPStatus.TOO_MANY_REQUESTS if too_often else HTTPStatus.OK)
        if self.done:
            messages.success(request, str(self.done))
        return answer

    def form_class(self) -> type[Form]:
        """Return the form for who asks."""
        return self.form

    def initial(self) -> dict[str, Any]:
        """Return what the fields hold at first."""
        return {}

    def told(self) -> dict[str, Any]:
        """Return what else the page shows."""
        return {}

    def show(self, form: Form, status: HTTPStatus = HTTPStatus.OK) -> HttpResponse:
        """Return the page."""
        return render(self.request, self.template, {"form": form, **self.told()}, status=status)

    def act(self, values: dict[str, Any]) -> HttpResponseBase:
        """Do it and return where to go; raises ServiceError."""
        raise NotImplementedError


def own(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Send who is not signed in to the door first."""

    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **kwargs)
        way_back = request.path if request.method in ("GET", "HEAD") else reverse("settings")
        return redirect(f"{reverse('sign-in')}?{urlencode({'next': way_back})}")

    return guarded


@method_decorator(own, name="dispatch")
class OwnPage(FormPage):
    """A page about one's own account."""

    @property
    def me(self) -> Any:
        """Return whose account it is."""
        return player(self.request)


class PersonsPage(OwnPage):
    """A page about what guests have not got yet: they are sent to where they become persons."""

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Let persons in."""
        if request.user.is_authenticated and request.user.kind == Kind.GUEST:
            return redirect("sign-up")
        return super().dispatch(request, *args, **kwargs)


@method_decorator(own, name="dispatch")
class OwnAct(Act):
    """A button of such a page."""


def way_on(request: HttpRequest) -> str:
    """Return the page of ours where somebody wanted to go, the first page if he named none."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else reverse("home")
