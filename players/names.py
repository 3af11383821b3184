"""What a username may look like, and which two look alike."""

import hashlib
import re

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

USERNAME = re.compile(r"[A-Za-z0-9_-]{3,20}", re.ASCII)
USERNAME_RULE = gettext_noop("3 to 20 characters out of A–Z, a–z, 0–9, _ and -.")
LOOK_ALIKES = ("1i0", "llo")
RESERVED = """
    abuse account admin administrator anonymous api bot bots callbreak closed deleted everyone guest guests
    help house login logout me mod moderator moderators nobody none null official players postmaster register
    root security server service session sessions settings site staff superuser support sysadmin system tokens
    undefined webmaster
""".split()


def skeleton(username: str) -> str:
    """Return what is left of a name when look-alikes count as one; the database computes the same for its unique index.

    >>> skeleton("Iimes11") == skeleton("limes11")
    True
    >>> skeleton("Turner_0"), skeleton("vVoW")
    ('tumer_o', 'wow')
    """
    return username.lower().translate(str.maketrans(*LOOK_ALIKES)).replace("rn", "m").replace("vv", "w")


def fault(username: str) -> str | None:
    """Return a sentence on why a person can't choose this name, or None.

    >>> fault("asha") is None
    True
    >>> fault("a b")
    '3 to 20 characters out of A–Z, a–z, 0–9, _ and -.'
    >>> fault("4dm1n") is None, fault("adm1n"), fault("chess-b0t"), fault("Guest-7")
    (True, 'This name is reserved.', 'Names that end in "bot" are for bots.', 'This name is reserved.')
    """
    if not USERNAME.fullmatch(username):
        return _(USERNAME_RULE)
    look = skeleton(username)
    if look in RESERVED_LOOKS or look.startswith(RESERVED_BEGINNINGS):
        return _("This name is reserved.")
    if look.endswith("bot"):
        return _('Names that end in "bot" are for bots.')
    return None


def imprint(username: str) -> str:
    """Return the hash under which a closed account's name is remembered, the same for all that look like it.

    >>> imprint("Asha1") == imprint("ashal") != imprint("asha2")
    True
    """
    return hashlib.sha256(skeleton(username).encode()).hexdigest()


RESERVED_LOOKS = frozenset(map(skeleton, RESERVED))
RESERVED_BEGINNINGS = (skeleton("guest-"), skeleton("closed-"))
