"""Files broken before any rule is asked: bytes, JSON, types, keys, lengths."""

import json
from collections.abc import Iterator

from . import samples
from .bending import HAND, TOTALS, Broken, drop, edited, put

LEVELS = 100_000


def raw() -> Iterator[Broken]:
    """Broken before there is any JSON value, or in ways a dict cannot hold."""
    good = samples.dump(samples.complete())
    yield Broken("empty", b"", 2, "")
    yield Broken("blank", b" \n\t ", 2, "")
    yield Broken("not JSON", b"format: gingodrome-tournament", 2, "")
    yield Broken("byte order mark", b"\xef\xbb\xbf" + good, 2, "")
    yield Broken("UTF-16", good.decode().encode("utf-16"), 2, "")
    yield Broken("UTF-16 without a mark", good.decode().encode("utf-16-le"), 2, "")
    yield Broken("Latin-1 letter", good.replace(b"Finale dei", b"Finale d\xe8i"), 2, "")
    yield Broken("surrogate as raw bytes", good.replace(b"Finale dei", b"Finale d\xed\xa0\x80i"), 2, "")
    yield Broken("overlong UTF-8", good.replace(b"Finale dei", b"Finale d\xc0\xafi"), 2, "")
    yield Broken("raw control character", good.replace(b"Finale dei", b"Finale\ndei"), 2, "")
    yield Broken("truncated in the middle", good[: len(good) // 2], 2, "")
    yield Broken("last brace missing", good[:-1], 2, "")
    yield Broken("a second value behind", good + b"{}", 2, "")
    yield Broken("zero bytes behind", good + b"\0\0", 2, "")
    yield Broken("trailing comma", good[:-1] + b",}", 2, "")
    yield Broken("single quotes", good.replace(b'"', b"'"), 2, "")
    yield Broken("comment", b"// archive\n" + good, 2, "")
    yield Broken("deep list", b"[" * LEVELS, 2, "")
    yield Broken("deep closed list", b"[" * LEVELS + b"]" * LEVELS, 2, "")
    yield Broken("deep objects", b'{"a":' * LEVELS + b"1" + b"}" * LEVELS, 2, "")
    deep = b"[" * LEVELS + b"]" * LEVELS
    yield Broken("deep record", good.replace(b"[1, 2.5, null]", deep), 2, "")
    for top in (b"null", b"[]", b'"x"', b"12", b"true"):
        yield Broken(f"top level {top.decode()}", top, 2, "")

    bid, record = b'"bid": 75, "made": 80', b'"seed": [1, 2.5, null]'
    for name, text in {
        "NaN": b"NaN",
        "Infinity": b"Infinity",
        "minus Infinity": b"-Infinity",
        "huge integer": b"9223372036854775808",
        "huge negative integer": b"-9223372036854775809",
        "ten thousand digits": b"7" * 10_000,
        "float": b"75.0",
        "exponent": b"75e0",
        "number beyond doubles": b"1e999",
    }.items():
        yield Broken(f"bid {name}", good.replace(bid, b'"bid": ' + text + b', "made": 80'), 2, f"{HAND}/0/bid")
    for name, text in {"NaN": b"NaN", "huge integer": b"1" + b"0" * 19}.items():
        yield Broken(f"record {name}", good.replace(record, b'"seed": ' + text), 2, "/record")
    yield Broken("leading zero", good.replace(bid, b'"bid": 075, "made": 80'), 2, "")
    yield Broken("plus sign", good.replace(bid, b'"bid": +75, "made": 80'), 2, "")

    yield Broken("duplicate key at the top", good.replace(b'"version": 1,', b'"version": 1, "version": 1,'), 2, "")
    yield Broken("duplicate key in a hand", good.replace(bid, b'"bid": 75, "bid": 75, "made": 80'), 2, f"{HAND}/0")
    yield Broken(
        "duplicate key by escape", good.replace(bid, b'"bid": 75, "b\\u0069d": 76, "made": 80'), 2, f"{HAND}/0"
    )
    yield Broken("duplicate total", good.replace(b'"f": 600', b'"f": 600, "f": 600'), 2, f"{TOTALS}/totals")
    yield Broken("duplicate key in record", good.replace(record, b'"seed": 1, "seed": 2'), 2, "/record")
    for name, letter in {
        "lone high surrogate": b"\\ud800",
        "lone low surrogate": b"\\udc00x",
        "U+0000": b"\\u0000",
    }.items():
        yield Broken(name, good.replace(b"Player a", b"Player " + letter), 2, "/players/0/name")
        yield Broken(f"{name} in a key", good.replace(b'"seed"', b'"' + letter + b'"'), 2, "/record/note")
    yield Broken("surrogates the wrong way round", good.replace(b"Player a", b"\\udc00\\ud800"), 2, "/players/0/name")


def shapes() -> Iterator[Broken]:
    """Wrong types, keys and lengths: whatever a schema sees."""
    wrong: list[tuple[str, object]] = [
        ("/format", "gingodrome"),
        ("/version", 2),
        ("/version", True),
        ("/version", 1.0),
        ("/version", "1"),
        ("/tournament", []),
        ("/tournament/game", "gin_rummy"),
        ("/tournament/name", 26),
        ("/tournament/name", None),
        ("/tournament/edition", "26"),
        ("/tournament/edition", True),
        ("/tournament/date", 20071215),
        ("/tournament/date", "15/12/2007"),
        ("/tournament/date", "2007-02-30"),
        ("/tournament/venue", ["Bar"]),
        ("/tournament/series", None),
        ("/tournament/rules", []),
        ("/tournament/rules/second_final", 1),
        ("/tournament/rules/min_bid", "61"),
        ("/tournament/rules/min_bid", 61.0),
        ("/tournament/rules/min_bid", True),
        ("/tournament/rules/confirm_hands", "false"),
        ("/tournament/rules/disloyal_points", 50),
        ("/tournament/rules/disloyal_points", [50, "70"]),
        ("/tournament/rules/tie_chain", "lot"),
        ("/tournament/rules/tie_chain", [1, "lot"]),
        ("/tournament/rules/bell_120", False),
        ("/players", {}),
        ("/players/0", "a"),
        ("/players/0/id", ""),
        ("/players/0/id", 7),
        ("/players/0/name", 7),
        ("/players/0/club", 7),
        ("/entries", "a"),
        ("/entries/0", 7),
        ("/editions_before", {}),
        ("/editions_before/0/edition", "25"),
        ("/editions_before/0/ranking", "a"),
        ("/editions_before/0/ranking/0", ""),
        ("/editions_before/0/adjustments", []),
        ("/editions_before/0/adjustments/x", True),
        ("/editions_before/0/adjustments/x", -1.0),
        ("/editions_before/0/series", 1),
        ("/lots", "abc"),
        ("/lots/0", 1),
        ("/stages", []),
        ("/stages", {}),
        ("/stages/0/kind", "semifinal"),
        ("/stages/0/kind", 1),
        ("/stages/0/heats", []),
        ("/stages/0/heats", {}),
        ("/stages/0/heats/0/name", 1),
        ("/stages/0/heats/0/seats", list("abcd")),
        ("/stages/0/heats/0/seats", list("abcdef")),
        ("/stages/0/heats/0/seats", "abcde"),
        ("/stages/0/heats/0/hands", []),
        ("/stages/0/heats/0/hands", {}),
        (f"{HAND}/0", []),
        (f"{HAND}/0/caller", 1),
        (f"{HAND}/0/called", None),
        (f"{HAND}/0/bid", "75"),
        (f"{HAND}/0/made", True),
        (f"{HAND}/0/made", 80.5),
        (f"{HAND}/0/ruling", None),
        (f"{HAND}/0/ruling", "suicidal_call"),
        (f"{HAND}/2/ruling/kind", "slap"),
        (f"{HAND}/3/ruling/admitted", "no"),
        (f"{HAND}/3/ruling/admitted", 0),
        (f"{HAND}/5/ruling/points", "-50"),
        (f"{HAND}/5/ruling/points", -50.0),
        (f"{HAND}/5/ruling/article", 19),
        (f"{HAND}/5/ruling/reason", None),
        (f"{TOTALS}/totals", [600, 590, 580, 570, 560]),
        (f"{TOTALS}/totals/f", "600"),
        (f"{TOTALS}/totals/f", True),
        (f"{TOTALS}/hands_played", 0),
        (f"{TOTALS}/hands_played", 18.0),
        (f"{TOTALS}/adjustments", {"f": None}),
        ("/withdrawals", {}),
        ("/withdrawals", [{"player": "a", "from": "heats:1"}]),
        ("/withdrawals", [{"player": "a", "from": "heats:two"}]),
        ("/withdrawals", [{"player": "a", "from": "heats"}]),
        ("/withdrawals", [{"player": "a", "from": "Final"}]),
        ("/withdrawals", [{"player": "a"}]),
        ("/withdrawals", ["a"]),
        ("/record", []),
        ("/record", None),
    ]
    for where, value in wrong:
        yield edited(f"{where} = {json.dumps(value)}", 2, where, put(where, value))
    for where in [
        *("/format", "/version", "/tournament", "/players", "/entries", "/stages"),
        *("/tournament/name", "/tournament/game", "/players/0/id", "/players/0/name", "/editions_before/0/ranking"),
        *("/stages/0/kind", "/stages/0/heats", "/stages/0/heats/0/name", "/stages/0/heats/0/seats", HAND),
        *(f"{HAND}/0/caller", f"{HAND}/0/called", f"{HAND}/0/bid", f"{HAND}/0/made", f"{HAND}/4/bid"),
        *(f"{HAND}/2/ruling/kind", f"{HAND}/5/ruling/player", f"{HAND}/5/ruling/points"),
        *(f"{HAND}/5/ruling/article", f"{HAND}/5/ruling/reason"),
        *(f"{TOTALS}/totals", f"{TOTALS}/hands_played"),
    ]:
        yield edited(f"without {where}", 2, where.rpartition("/")[0], drop(where))
    for where in [
        *("/prize", "/tournament/prize", "/tournament/rules/min_bet", "/players/0/email", "/editions_before/0/date"),
        *("/stages/0/name", "/stages/0/heats/0/bell", f"{HAND}/0/dealer", f"{HAND}/2/ruling/article", "/players/0/Id"),
        *(f"{HAND}/2/ruling/admitted", f"{HAND}/3/ruling/points", f"{HAND}/5/ruling/by", f"{TOTALS}/bell"),
    ]:
        yield edited(f"unknown {where}", 2, where.rpartition("/")[0], put(where, True))
    yield edited("admitted with called", 2, f"{HAND}/4", put(f"{HAND}/4/called", "a"))
    yield edited("admitted with made", 2, f"{HAND}/4", put(f"{HAND}/4/made", 64))
    yield edited("judged without made", 2, f"{HAND}/3", drop(f"{HAND}/3/made"))
    yield edited("award with bid", 2, f"{HAND}/5", put(f"{HAND}/5/bid", 75))
    yield edited("award with caller", 2, f"{HAND}/5", put(f"{HAND}/5/caller", "a"))
    yield edited("award with made", 2, f"{HAND}/5", put(f"{HAND}/5/made", 75))
    yield edited("hands and totals", 2, "/stages/0/heats/0", put("/stages/0/heats/0/totals", dict.fromkeys("abcde", 0)))
    yield edited("hands and hands_played", 2, "/stages/0/heats/0", put("/stages/0/heats/0/hands_played", 6))
    yield edited("hands and adjustments", 2, "/stages/0/heats/0", put("/stages/0/heats/0/adjustments", {"a": -1}))
    yield edited("empty key in totals", 2, f"{TOTALS}/totals", put(f"{TOTALS}/totals/", 5))
