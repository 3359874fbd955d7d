"""A command takes effect once: same key, same answer; same key for something else, refused."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from core.commands import once
from core.models import CommandKey
from core.refusal import Refusal


@pytest.mark.django_db
def test_a_repeat_gets_the_kept_answer_and_no_second_effect():
    done = []
    for _ in range(3):
        assert once("system", "verb", "k", {"a": 1}, lambda: done.append(1) or {"n": len(done)}) == {"n": 1}
    assert done == [1]


@pytest.mark.django_db
@pytest.mark.parametrize("same", [("other", "verb", "k"), ("system", "other", "k"), ("system", "verb", "other")])
def test_another_actor_verb_or_key_is_another_command(same):
    once("system", "verb", "k", {}, lambda: {"n": 1})
    assert once(*same, {}, lambda: {"n": 2}) == {"n": 2}


@pytest.mark.django_db
def test_a_key_for_something_else_is_refused():
    once("system", "verb", "k", {"a": 1}, dict)
    with pytest.raises(Refusal) as refused:
        once("system", "verb", "k", {"a": 2}, dict)
    assert refused.value.code == "key_reused"


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "k" * 201, "k\0", "\ud800"])
def test_what_can_be_no_key_is_refused_and_nothing_is_done(key):
    with pytest.raises(Refusal) as refused:
        once("system", "verb", key, {}, pytest.fail)
    assert refused.value.code == "bad_key"
    assert not CommandKey.objects.exists()
    assert once("system", "verb", "ş" * 200, {}, lambda: {"n": 1}) == {"n": 1}


@pytest.mark.django_db
def test_a_refusal_keeps_no_key_so_that_a_mended_form_can_be_sent_again():
    def refuse():
        raise Refusal("bad")

    with pytest.raises(Refusal):
        once("system", "verb", "k", {"a": 1}, refuse)
    assert not CommandKey.objects.exists()
    assert once("system", "verb", "k", {"a": 2}, lambda: {"n": 2}) == {"n": 2}


@pytest.mark.django_db(transaction=True)
def test_five_at_once_have_one_effect_and_one_answer():
    start = Barrier(5)

    def work():
        CommandKey.objects.create(actor="x", verb="effect", key=str(CommandKey.objects.count()), body_hash="")
        return {"n": CommandKey.objects.filter(verb="effect").count()}

    def send(_):
        try:
            start.wait()
            return once("system", "verb", "k", {}, work)
        finally:
            connection.close()

    with ThreadPoolExecutor(5) as pool:
        answers = list(pool.map(send, range(5)))
    assert answers == [{"n": 1}] * 5
    assert CommandKey.objects.filter(verb="effect").count() == 1
