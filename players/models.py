"""Who. A person is one row, with or without a way to sign in; a right is a role on a scope."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.entropy import new_id
from players.rules.names import fold_letters, search_key, sort_key
from players.rules.rights import ROLES


class NameKeyField(models.TextField):
    """A key made from another column each time the row is written; compared byte by byte."""

    def __init__(self, *, of: str, make: Callable[[str], str], **options: Any) -> None:
        self.of = of
        self.make = make
        super().__init__(**{"editable": False, "blank": True, "db_collation": "C", **options})

    def deconstruct(self) -> tuple[str, str, Sequence[Any], dict[str, Any]]:
        name, path, args, options = super().deconstruct()
        return name, path, args, {"of": self.of, "make": self.make, **options}

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        key = self.make(getattr(model_instance, self.of))
        setattr(model_instance, self.attname, key)
        return key


class UserManager(BaseUserManager["User"]):
    """Makes and finds people by the name they sign in with."""

    def create_user(self, username: str | None, display_name: str, password: str | None = None) -> User:
        """A new person. Without a user name or a password nobody can sign in as him."""
        plain = fold_letters(username.strip()) if username else None
        user = self.model(username=plain, display_name=display_name.strip())
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Forgives capitals, accents and the wrong i: phones put them in by themselves."""
        return super().get_by_natural_key(fold_letters((username or "").strip()))


class User(AbstractBaseUser):
    """A person. `sort_key` and `search_key` follow `display_name` (see players.rules.names).

    Most people are in the books only: no user name, no password. Who turned out to be somebody else points to him
    (`merged_into`); whose name was erased (`erased`) has a code instead; `history_hidden`: his own page shows nothing.
    """

    # When somebody was last here is nobody's business: a time beside a hidden clock is a leak.
    last_login = None

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    username = models.CharField(_("user name"), max_length=40, unique=True, null=True, blank=True, db_collation="C")
    display_name = models.CharField(_("name"), max_length=120)
    sort_key = NameKeyField(of="display_name", make=sort_key)
    search_key = NameKeyField(of="display_name", make=search_key)
    is_active = models.BooleanField(_("may sign in"), default=True)
    is_demo = models.BooleanField(default=False)
    history_hidden = models.BooleanField(_("history hidden"), default=False)
    erased = models.BooleanField(default=False)
    merged_into = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="merged")
    version = models.PositiveIntegerField(default=1)

    objects = UserManager()

    USERNAME_FIELD = "username"
    REQUIRED_FIELDS = ["display_name"]

    class Meta:
        ordering = ["sort_key", "id"]
        verbose_name = _("person")
        verbose_name_plural = _("people")
        indexes = [
            models.Index(fields=["sort_key", "id"], name="user_by_name"),
            models.Index(fields=["search_key"], name="user_by_search"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(username__regex=r"^[a-z0-9][a-z0-9._-]{1,39}$"),
                name="user_username_plain",
                violation_error_message=_(
                    "A user name has 2 to 40 small letters a-z, digits, dots, dashes or underscores."
                ),
            ),
            models.CheckConstraint(
                condition=~models.Q(search_key=""),
                name="user_has_a_name",
                violation_error_message=_("The name must have at least one letter or digit."),
            ),
            models.CheckConstraint(
                condition=models.Q(merged_into=None, erased=False) | models.Q(username=None, is_active=False),
                name="user_gone_cannot_sign_in",
            ),
            models.CheckConstraint(condition=~models.Q(merged_into=models.F("id")), name="user_not_merged_into_self"),
        ]

    def __str__(self) -> str:
        return self.display_name

    def clean(self) -> None:
        """Makes the keys, so that their constraints are checked on what will be written."""
        super().clean()
        self.sort_key, self.search_key = sort_key(self.display_name), search_key(self.display_name)

    def save(self, *args: Any, update_fields: Iterable[str] | None = None, **kwargs: Any) -> None:
        """Saving only the name saves its keys too."""
        if update_fields is not None and "display_name" in (fields := set(update_fields)):
            update_fields = fields | {"sort_key", "search_key"}
        super().save(*args, update_fields=update_fields, **kwargs)


class Scope(models.Model):
    """What a right holds for, and where an audit trail hangs: the house, a club, a tournament or a friendly table.

    Rights on a scope hold for everything below it. The owner above points to its scope. `audit_count` and
    `audit_head` are the last row of the trail (core.audit).
    """

    class Kind(models.TextChoices):
        HOUSE = "house"
        CLUB = "club"
        TOURNAMENT = "tournament"
        TABLE = "table"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=10, choices=Kind, db_collation="C")
    parent = models.ForeignKey("self", models.PROTECT, null=True, related_name="children")
    audit_count = models.PositiveIntegerField(default=0)
    audit_head = models.CharField(max_length=64, default="0" * 64, db_collation="C")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(kind="house", parent=None) | (~models.Q(kind="house") & ~models.Q(parent=None)),
                name="scope_only_the_house_is_on_top",
            ),
            models.UniqueConstraint(fields=["kind"], condition=models.Q(kind="house"), name="scope_one_house"),
            models.CheckConstraint(
                condition=models.Q(kind__in=["house", "club", "tournament", "table"]), name="scope_kind_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Club(models.Model):
    """A club that keeps its archive here. Its scope is a child of the house."""

    scope = models.OneToOneField(Scope, models.PROTECT, primary_key=True)
    slug = models.SlugField(max_length=60, unique=True, db_collation="C")
    name = models.CharField(_("name"), max_length=120)
    sort_key = NameKeyField(of="name", make=sort_key)

    class Meta:
        ordering = ["sort_key"]
        constraints = [models.CheckConstraint(condition=~models.Q(slug=""), name="club_has_a_slug")]

    def __str__(self) -> str:
        return self.name


class Grant(models.Model):
    """A role of a person on a scope."""

    person = models.ForeignKey(User, models.CASCADE, related_name="grants")
    scope = models.ForeignKey(Scope, models.CASCADE, related_name="grants")
    role = models.CharField(max_length=20, choices=[(role, role) for role in ROLES], db_collation="C")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "scope", "role"], name="grant_once"),
            models.CheckConstraint(condition=models.Q(role__in=ROLES), name="grant_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.role} on {self.scope_id}"


class SeatPass(models.Model):
    """Lets one phone be a person at one seat of one sheet. Shown once as a token, of which only the hash is kept.

    `place` is the id of the sheet, which is a room above. Making a pass revokes the earlier ones of the seat, so one
    at most is not revoked, and whoever came by an earlier one is a stranger.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    place = models.UUIDField()
    number = models.PositiveSmallIntegerField()
    person = models.ForeignKey(User, models.CASCADE, related_name="passes")
    token_hash = models.CharField(max_length=64, unique=True, db_collation="C")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked = models.BooleanField(default=False)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["place", "number"], condition=models.Q(revoked=False), name="pass_one_for_each_seat"
            ),
            models.CheckConstraint(condition=models.Q(number__lte=4), name="pass_seat_of_five"),
        ]

    def __str__(self) -> str:
        return f"seat {self.number} of {self.place}"


class Link(models.Model):
    """Opens a door once: `invite` (a role on a scope), `reset` (a new password) or `first` (the administrator).

    Shown once as a token, of which only the hash is kept. An invitation is for somebody who is known (`person`), or
    for somebody new (`name`), who becomes a person when he comes.
    """

    class Kind(models.TextChoices):
        INVITE = "invite"
        RESET = "reset"
        FIRST = "first"

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    kind = models.CharField(max_length=10, choices=Kind, db_collation="C")
    person = models.ForeignKey(User, models.CASCADE, null=True, related_name="links")
    name = models.CharField(max_length=120, blank=True)
    scope = models.ForeignKey(Scope, models.CASCADE, null=True, related_name="links")
    role = models.CharField(max_length=20, blank=True, db_collation="C")
    token_hash = models.CharField(max_length=64, unique=True, db_collation="C")
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)
    revoked = models.BooleanField(default=False)
    made_by = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=(
                    models.Q(kind="invite", role__in=ROLES)
                    & ~models.Q(scope=None)
                    & (models.Q(name="", person__isnull=False) | (~models.Q(name="") & models.Q(person=None)))
                )
                | (models.Q(kind="reset", scope=None, role="", name="") & ~models.Q(person=None))
                | models.Q(kind="first", scope=None, role="", name="", person=None),
                name="link_says_what_it_opens",
            ),
            models.UniqueConstraint(
                fields=["person"], condition=models.Q(revoked=False, used_at=None), name="link_one_for_each_person"
            ),
            models.UniqueConstraint(
                fields=["kind"], condition=models.Q(kind="first", revoked=False, used_at=None), name="link_one_first"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


class Session(AbstractBaseSession):
    """A browser that came in: whose it is, so that all of a person's can be found and ended, and what it calls itself.

    The person is in the session's own data too, which nobody but this house can write (see players.sessions).
    """

    person = models.ForeignKey(User, models.CASCADE, null=True, related_name="sessions")
    agent = models.CharField(max_length=40, blank=True)
