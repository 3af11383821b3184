"""A new password for somebody who has forgotten the old one, by a link in a mail."""

from datetime import timedelta
from uuid import UUID

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.contrib.auth.tokens import default_token_generator
from django.db import transaction
from django.db.models.functions import Lower, Now
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from callbreak_site.outbox.services import emit
from players.models import Player, ResetRequest, Token
from players.services import passwords
from players.services.accounts import locked, refuse_if_changed
from players.services.letters import send_letter
from players.services.visits import end_visits

ASKED = "password.reset_asked"
KEPT = timedelta(days=1)


@transaction.atomic
def ask_for_reset(*, email: str, language: str, root: str) -> None:
    """Have a mail sent with a link below *root*, if this is the address of an account.

    The same is written either way, and the mail is sent by a worker: neither the answer nor its time tells which.
    """
    named = Player.objects.annotate(lower=Lower("email")).filter(lower=email.lower())
    player = named.exclude(email="").only("id", "language").first()  # the index has no empty ones
    spoken = (player and player.language) or language
    asked = ResetRequest.objects.create(player=player, language=spoken, root=root)
    emit(ASKED, asked.pk.hex)


def send_reset_letter(request_id: str) -> None:
    """Send the mail that somebody has asked for, unless there is nobody to send it to."""
    asked = ResetRequest.objects.select_related("player").filter(pk=UUID(request_id)).first()
    if asked is None or asked.player is None or not asked.player.email:
        return
    player = asked.player
    secret = default_token_generator.make_token(player)
    path = reverse("reset-password", args=[urlsafe_base64_encode(force_bytes(player.pk))])
    send_letter(
        to=player.email,
        letter="reset",
        language=asked.language,
        username=player.username,
        link=f"{asked.root}{path}?key={secret}",  # no log has query strings
        site=asked.root,
        hours=settings.PASSWORD_RESET_TIMEOUT // 3600,
    )


def reset_password(*, player_id: UUID, seen: str, new: str) -> None:
    """Set the password of somebody whose link was checked while the hash was *seen*; ends all tokens and sessions."""
    player = Player.objects.get(pk=player_id)
    passwords.check_choices(username=player.username, email=player.email, password=new, field="new", is_name_new=False)
    hashed = make_password(new)
    with transaction.atomic():
        refuse_if_changed(locked(player_id), seen)
        Player.objects.filter(pk=player_id).update(password=hashed)
        Token.objects.filter(player_id=player_id).delete()
        end_visits(player_id=player_id)


def purge_requests() -> None:
    """Delete what was asked for more than a day ago."""
    ResetRequest.objects.filter(created_at__lt=Now() - KEPT).delete()
