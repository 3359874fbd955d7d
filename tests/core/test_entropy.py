"""Entropy: one source, guarded."""

from __future__ import annotations

import contextlib

import pytest
from django.conf import LazySettings

from core import entropy


def test_ids_are_random_and_carry_no_time() -> None:
    ids = {entropy.new_id() for _ in range(1000)}
    assert len(ids) == 1000
    assert {found.version for found in ids} == {4}
    assert {found.variant for found in ids} == {"specified in RFC 4122"}


def test_sizes() -> None:
    assert len(entropy.new_seed()) == 32
    assert len(entropy.new_token()) == 22  # 128 bits in base64url
    assert len({entropy.new_token(32) for _ in range(100)}) == 100


def test_an_injected_source_gives_the_same_world_twice() -> None:
    def world() -> list[object]:
        count = iter(range(256))
        with entropy.injected(lambda size: bytes(next(count) for _ in range(size))):
            return [entropy.new_id(), entropy.new_seed(), entropy.new_token()]

    assert world() == world()
    assert entropy.new_seed() != entropy.new_seed()


def test_the_old_source_comes_back_after_an_error() -> None:
    with contextlib.suppress(ZeroDivisionError), entropy.injected(bytes):
        assert entropy.new_seed() == bytes(32)
        raise ZeroDivisionError
    assert entropy.new_seed() != bytes(32)


def test_injection_is_refused_outside_of_a_test_run(settings: LazySettings) -> None:
    settings.TESTING = False
    with pytest.raises(RuntimeError, match="test run only"), entropy.injected(bytes):
        pass
    assert entropy.new_seed() != bytes(32)


def test_a_source_that_gives_too_little_is_refused() -> None:
    with entropy.injected(lambda size: b"\0" * (size - 1)), pytest.raises(ValueError, match="31 bytes instead of 32"):
        entropy.new_seed()
