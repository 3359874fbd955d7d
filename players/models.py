"""Who. A person is one row, with or without a way to sign in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.db import models
from django.utils.translation import gettext_lazy as _

from core.entropy import new_id
from players.rules.names import fold_letters, search_key, sort_key


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

    def create_user(self, username: str, display_name: str, password: str | None = None) -> User:
        """A new person. Without a password nobody can sign in as him."""
        user = self.model(username=fold_letters(username.strip()), display_name=display_name.strip())
        user.set_password(password)
        user.full_clean(exclude=["password"])
        user.save(using=self._db)
        return user

    def get_by_natural_key(self, username: str | None) -> User:
        """Forgives capitals, accents and the wrong i: phones put them in by themselves."""
        return super().get_by_natural_key(fold_letters((username or "").strip()))


class User(AbstractBaseUser):
    """A person. `sort_key` and `search_key` follow `display_name` (see players.rules.names)."""

    # When somebody was last here is nobody's business: a time beside a hidden clock is a leak.
    last_login = None

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    username = models.CharField(_("user name"), max_length=40, unique=True, db_collation="C")
    display_name = models.CharField(_("name"), max_length=120)
    sort_key = NameKeyField(of="display_name", make=sort_key)
    search_key = NameKeyField(of="display_name", make=search_key)
    is_active = models.BooleanField(_("may sign in"), default=True)

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
