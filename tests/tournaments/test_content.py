"""The content hash: the same for other names and codes of people, another for any other change of what is said."""

import json
import re
from collections import Counter
from copy import deepcopy
from hashlib import sha256

from core.canonical import canonical as spelled
from core.lots import Lots
from tests.tournaments.changes import CHANGES, changed_once
from tests.tournaments.files import by_place, hands_heat, stage, tournament_file
from tournaments.exchange.generator import generate_tournament
from tournaments.rules.content import content_hash, content_of

CODE = re.compile(r'"(P\d{3}|old\d)"')


def canonical(file):
    return spelled(content_of(file))


def generated(seed):
    return generate_tournament(seed, heats=1 + seed % 7, hands=4)


def recoded(file, lots):
    """The same file with other codes, names and clubs, and its objects in another order."""
    text = json.dumps(file)
    codes = sorted(set(CODE.findall(text)))
    renamed = dict(zip(codes, lots.shuffled([f"x{number}" for number in range(len(codes))]), strict=True))
    copy = json.loads(
        CODE.sub(lambda found: f'"{renamed[found[1]]}"', text), object_hook=lambda o: dict(reversed(o.items()))
    )
    for player in copy["players"]:
        player["name"] = "Erased"
        player.pop("club", None)
    return copy


def test_other_codes_and_names_leave_the_hash():
    for seed in range(60):
        file = generated(seed)
        copy = recoded(file, Lots(seed.to_bytes(4, "big"), "codes"))
        assert copy != file
        assert canonical(copy) == canonical(file), seed
        assert content_hash(copy) == content_hash(file)


def test_any_single_change_of_a_fact_changes_the_hash():
    seen = Counter()
    for seed in range(800):
        file = generated(seed % 80)
        before, copy = content_hash(file), deepcopy(file)
        seen[changed_once(Lots(seed.to_bytes(4, "big"), "change"), copy)] += 1
        assert copy != file
        assert content_hash(copy) != before, seed
    assert set(seen) == {change.__name__ for change in CHANGES}


def test_no_name_and_no_code_is_in_the_text():
    for seed in range(20):
        file = generated(seed)
        text = canonical(file)
        assert not CODE.search(text)
        assert not any(player["name"] in text for player in file["players"])
        assert json.loads(text).keys() == file.keys()


def test_who_has_only_adjustments_may_stand_in_any_order():
    ledgers = [{"u": -1, "v": -1, "w": -2}, {"v": -1, "x": 0}]
    hashes = set()
    for codes in ("uvwx", "xwvu", "wuxv", "vxuw"):
        editions = [
            {"edition": at, "ranking": ["a"], "adjustments": {code: ledger[code] for code in codes if code in ledger}}
            for at, ledger in enumerate(ledgers)
        ]
        hashes.add(content_hash(tournament_file(stage(by_place("A", "abcde")), editions=editions)))
    assert len(hashes) == 1


def test_the_text_is_what_it_always_was():
    """Hashes are kept for good: this text may never change."""
    hand = {"caller": "b", "called": "a", "bid": 90, "made": 91}
    ruling = {"kind": "award", "player": "c", "points": -5, "article": "S19", "reason": "così"}
    file = {
        **tournament_file(
            stage(hands_heat("A", "abcde", [hand, {"ruling": ruling}]), by_place("B", "fghij")),
            withdrawals=[("b", "final")],
            lots=["b", "a"],
            editions=[{"edition": 25, "ranking": ["q", "a"], "adjustments": {"z": -1}}],
        ),
        "record": {"by": "a"},
    }
    file["players"][0]["club"] = "Centrale"
    assert canonical(file) == (
        '{"editions_before":[{"adjustments":{"12":-1},"edition":25,"ranking":["11","1"]}],'
        '"entries":["1","2","3","4","5","6","7","8","9","10"],"format":"gingodrome-tournament","lots":["2","1"],'
        '"players":[{"id":"1"},{"id":"2"},{"id":"3"},{"id":"4"},{"id":"5"},{"id":"6"},{"id":"7"},{"id":"8"},{"id":"9"},'
        '{"id":"10"}],"stages":[{"heats":[{"hands":[{"bid":90,"called":"1","caller":"2","made":91},'
        '{"ruling":{"article":"S19","kind":"award","player":"3","points":-5,"reason":"così"}}],'
        '"name":"A","seats":["1","2","3","4","5"]},{"hands_played":20,"name":"B","seats":["6","7","8","9","10"],'
        '"totals":{"10":700,"6":900,"7":850,"8":800,"9":750}}],"kind":"heats"}],'
        '"tournament":{"edition":26,"game":"gingo","name":"Test"},"version":1,'
        '"withdrawals":[{"from":"final","player":"2"}]}'
    )
    assert content_hash(file) == sha256(canonical(file).encode()).hexdigest()


def test_a_file_without_the_parts_that_may_be_left_out():
    file = tournament_file(stage(by_place("A", "abcde")))
    for part in ("lots", "withdrawals", "editions_before"):
        del file[part]
    assert json.loads(canonical(file)).keys() == file.keys()
    # The record is free text, from which no place follows: a name may have to go from it.
    assert canonical({**file, "record": {"note": "x"}}) == canonical(file)
