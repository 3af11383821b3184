"""Players, their tokens and sessions, the names of closed accounts and the audit of moderation."""

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.contrib.sessions.models import Session
from django.core.validators import RegexValidator
from django.db import models
from django.db.models.functions import Lower, Now, Replace

from players.names import LOOK_ALIKES, USERNAME, USERNAME_RULE
from players.terms import Kind, Scope

LONGEST_USER_AGENT = 300

# The database's reading of `names.skeleton`: one expression for one index.
SKELETON = Replace(
    Replace(
        models.Func(
            Lower("username"),
            *map(models.Value, LOOK_ALIKES),
            function="TRANSLATE",
            output_field=models.CharField(),
        ),
        models.Value("rn"),
        models.Value("m"),
    ),
    models.Value("vv"),
    models.Value("w"),
)


class PlayerManager(BaseUserManager["Player"]):
    """Makes administrators for Django's own commands; everybody else comes through `players.services`."""

    def create_superuser(self, username: str, password: str | None = None, **fields: Any) -> "Player":
        """Make an administrator, whose name may be a reserved one."""
        player = self.model(username=username, is_staff=True, is_superuser=True, **fields)
        player.set_password(password)
        player.full_clean(exclude=["password"])
        player.save(using=self._db)
        return player


class Player(AbstractBaseUser, PermissionsMixin):
    """A person with an account, or a guest; house bots are not players."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    username = models.CharField(max_length=20, validators=[RegexValidator(rf"\A{USERNAME.pattern}\Z", USERNAME_RULE)])
    email = models.EmailField(blank=True, default="")
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.HUMAN)
    is_active = models.BooleanField(default=True)
    is_staff = models.BooleanField(default=False)
    language = models.CharField(
        max_length=7,
        choices=settings.LANGUAGES,
        blank=True,
        default="",
        db_default="",
        help_text="Empty: the browser's.",
    )
    time_zone = models.CharField(
        max_length=64, blank=True, default="", db_default="", help_text="Empty: the browser's."
    )
    is_four_colour = models.BooleanField(default=False, db_default=False, help_text="A colour for each suit.")
    is_silent = models.BooleanField(default=False, db_default=False, help_text="The table makes no sound.")
    confirms_plays = models.BooleanField(default=False, db_default=False, help_text="A card is played by two taps.")
    quick_ruleset = models.CharField(max_length=20, default="call-break-2", db_default="call-break-2")
    quick_level = models.CharField(max_length=10, default="medium", db_default="medium")
    suspended_at = models.DateTimeField(null=True, blank=True, editable=False)
    suspension_reason = models.CharField(max_length=500, blank=True, default="", editable=False)
    created_at = models.DateTimeField(db_default=Now(), editable=False)

    objects: ClassVar[PlayerManager] = PlayerManager()

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"

    class Meta:
        """One account a name, whatever its case and however it looks."""

        permissions: ClassVar = [("suspend_player", "Can suspend and reinstate players")]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["username"], name="one_player_a_name"),
            models.UniqueConstraint(Lower("username"), name="one_player_a_name_in_any_case"),
            models.UniqueConstraint(SKELETON, name="one_player_a_look"),
            models.UniqueConstraint(Lower("email"), condition=~models.Q(email=""), name="one_player_an_email"),
            models.CheckConstraint(condition=models.Q(kind__in=Kind.values), name="kind_is_human_or_guest"),
        ]

    def __str__(self) -> str:
        return self.username


class Token(models.Model):
    """A key to the API, of which only the SHA-256 is kept; it may be bound to one game."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="tokens")
    digest = models.BinaryField(max_length=32)
    name = models.CharField(max_length=100)
    scopes = ArrayField(models.CharField(max_length=20, choices=Scope))
    game_id = models.UUIDField(null=True)
    expires_at = models.DateTimeField(null=True)
    last_used_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        """Tokens are found by their digest, and listed newest first."""

        indexes: ClassVar = [
            models.Index(fields=["player", "-created_at", "-id"], name="tokens_of_a_player"),
            models.Index(
                fields=["expires_at"], condition=models.Q(expires_at__isnull=False), name="tokens_that_expire"
            ),
        ]
        constraints: ClassVar = [models.UniqueConstraint(fields=["digest"], name="one_token_a_digest")]

    def __str__(self) -> str:
        return self.name


class Visit(models.Model):
    """A session in which a player is signed in; it goes with the session, however that ends."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    session = models.OneToOneField(Session, on_delete=models.CASCADE)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="visits")
    user_agent = models.CharField(max_length=LONGEST_USER_AGENT)
    last_seen_at = models.DateTimeField(db_default=Now())
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.user_agent


class ResetRequest(models.Model):
    """Somebody has asked for a new password; without a player if no account has the address."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey(Player, on_delete=models.CASCADE, null=True, related_name="+")
    language = models.CharField(max_length=7)
    root = models.CharField(max_length=300, help_text="The address under which the page was reached.")
    created_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return str(self.id)


class RetiredName(models.Model):
    """The hash of a closed account's name, so that nobody can become that person."""

    imprint = models.CharField(max_length=64, primary_key=True)
    retired_at = models.DateTimeField(db_default=Now())

    def __str__(self) -> str:
        return self.imprint


class Audit(models.Model):
    """What a moderator did, to whom and why; a trigger refuses to change or delete rows."""

    at = models.DateTimeField(db_default=Now())
    actor = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")
    action = models.CharField(max_length=50)
    subject_kind = models.CharField(max_length=20)
    subject_id = models.UUIDField()
    reason = models.CharField(max_length=500)
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    address = models.GenericIPAddressField(null=True)

    class Meta:
        """Read by what was acted on, newest first."""

        verbose_name_plural = "audit"
        indexes: ClassVar = [models.Index(fields=["subject_kind", "subject_id", "-id"], name="audit_of_a_subject")]

    def __str__(self) -> str:
        return f"{self.action} {self.subject_kind} {self.subject_id}"
