"""Headers that keep a browser from doing what no page of ours asks for."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
# The admin's pages come from unfold, whose Alpine compiles the expressions in its own attributes.
ADMIN_PATH = "/admin/"
ADMIN_POLICY = POLICY.replace("script-src 'self'", "script-src 'self' 'unsafe-eval'")
PERMISSIONS = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"


class SafeHeaders:
    """Add the Content-Security-Policy and its like to every answer that has none of its own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer *request* with the headers added."""
        response = self.get_response(request)
        policy = ADMIN_POLICY if request.path.startswith(ADMIN_PATH) else POLICY
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if response.status_code == 304:
            # It would have to be that of the answer that is not sent again, and Django says 0.
            response.headers.pop("Content-Length", None)
        return response
