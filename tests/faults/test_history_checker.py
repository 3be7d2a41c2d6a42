"""The checker of histories accepts what may happen and rejects what must not."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.histories import Entry, History, Request, Sighting, Watch, violations

pytestmark = pytest.mark.tree

GAME = "g1"


def entry(version: int, key: str | None, move: str = "draw") -> Entry:
    return Entry(version, key, move, f"h{version}", f"h{version}", f"d{version}-{key}")


def ok(key: str, answered: int, start: float, end: float, move: str = "draw") -> Request:
    digest = f"d{answered}-{key}"
    return Request("ann", GAME, key, answered - 1, move, start, end, "ok", answered=answered, digest=digest)


def update(version: int, key: str | None, at: float = 0.0) -> Sighting:
    return Sighting(version, at or version + 0.5, f"d{version}-{key}")


def history(requests: list[Request], log: list[Entry], *sightings: Sighting, to_end: bool = False) -> History:
    return History(requests, [Watch("eve", GAME, sightings, to_end)] if sightings else [], {GAME: log})


LOG = [entry(1, None, "create"), entry(2, "a"), entry(3, "b"), entry(4, "c")]
REQUESTS = [ok("a", 2, 1.0, 2.0), ok("b", 3, 2.1, 3.0), ok("c", 4, 3.1, 4.0)]
SEEN = [update(1, None), update(2, "a"), update(3, "b"), update(4, "c")]


def kinds(found: list[str]) -> set[str]:
    """The kinds of breach, each violation being `game: kind: what`."""
    return {violation.split(": ")[1] for violation in found}


def test_a_game_that_went_well_breaks_no_promise() -> None:
    assert violations(history(REQUESTS, LOG, *SEEN, to_end=True)) == []


def test_an_observation_can_be_written_as_json() -> None:
    told = json.loads(json.dumps(asdict(history(REQUESTS, LOG, *SEEN))))
    assert told["requests"][0]["answered"] == 2 and told["logs"][GAME][3]["key"] == "c"


def test_a_retry_is_the_same_move_and_may_be_answered_late() -> None:
    unknown = Request("ann", GAME, "a", 1, "draw", 1.0, 1.5, "unknown")
    late = replace(REQUESTS[0], start=9.0, end=9.5)
    assert violations(history([unknown, *REQUESTS[1:], late], LOG)) == []


def test_an_attempt_without_an_answer_may_or_may_not_be_in_the_log() -> None:
    unknown = Request("ann", GAME, "c", 3, "draw", 3.1, 4.0, "unknown")
    assert violations(history([*REQUESTS[:2], unknown], LOG)) == []
    assert violations(history([*REQUESTS[:2], unknown], LOG[:3])) == []


def test_a_key_refused_at_first_may_be_played_later() -> None:
    refused = Request("ann", GAME, "c", 2, "draw", 1.0, 1.5, "refused", code="stale_version")
    assert violations(history([*REQUESTS, refused], LOG)) == []


def test_moves_under_way_together_may_come_in_any_order() -> None:
    together = [ok("a", 2, 1.0, 9.0), ok("b", 3, 1.0, 2.0)]
    assert violations(history(together, LOG[:3])) == []


def test_a_watcher_may_begin_with_a_view_and_resume_where_it_stopped() -> None:
    view, resumed = Sighting(2, 2.5, kind="view"), Sighting(3, 3.6, kind="resumed")
    assert violations(history(REQUESTS, LOG, view, SEEN[2], resumed, SEEN[3], to_end=True)) == []
    after = Sighting(3, 3.6, kind="resumed")
    assert violations(history(REQUESTS, LOG, after, SEEN[3], to_end=True)) == []


def test_an_acknowledged_move_that_is_not_in_the_log_is_lost() -> None:
    assert kinds(violations(history(REQUESTS, LOG[:3]))) == {"lost"}
    assert kinds(violations(history(REQUESTS, [*LOG[:3], entry(4, "other")]))) == {"lost"}
    assert kinds(violations(History(REQUESTS, [], {}))) == {"lost"}


def test_a_key_twice_in_the_log_is_a_move_applied_twice() -> None:
    assert kinds(violations(history(REQUESTS, [*LOG, entry(5, "a")]))) == {"doubled"}


def test_a_key_acknowledged_at_two_versions_is_a_move_applied_twice() -> None:
    again = ok("a", 5, 5.0, 6.0)
    assert kinds(violations(history([*REQUESTS, again], LOG))) == {"doubled", "lost"}


@pytest.mark.parametrize("log", [LOG[1:], [*LOG[:2], *LOG[3:]], [LOG[0], LOG[2], LOG[1], LOG[3]]])
def test_versions_run_from_one_without_gaps(log: list[Entry]) -> None:
    assert "gap" in kinds(violations(history([], log)))


def test_a_move_sent_after_an_acknowledgement_comes_after_it() -> None:
    swapped = [replace(REQUESTS[1], start=0.1, end=0.2, version=0), replace(REQUESTS[0], version=0)]
    assert kinds(violations(history(swapped, LOG[:3]))) == {"reordered"}


def test_a_move_sent_after_a_version_was_shown_comes_after_it() -> None:
    seen_early = [update(1, None, 0.1), update(2, "a", 0.2), update(3, "b", 0.3)]
    assert kinds(violations(history([ok("a", 2, 1.0, 2.0)], LOG[:3], *seen_early))) == {"reordered"}


def test_a_move_comes_after_the_version_it_was_made_on() -> None:
    assert kinds(violations(history([replace(REQUESTS[0], version=7)], LOG))) == {"reordered"}


def test_a_refused_move_in_the_log_is_resurrected() -> None:
    refused = Request("ann", GAME, "c", 3, "draw", 3.1, 4.0, "refused", code="illegal_move")
    assert kinds(violations(history([*REQUESTS[:2], refused], LOG))) == {"resurrected"}


def test_a_version_does_not_change_after_it_was_told_or_shown() -> None:
    told = replace(REQUESTS[0], digest="other")
    assert kinds(violations(history([told], LOG))) == {"rewritten"}
    shown = replace(SEEN[1], digest="other")
    assert kinds(violations(history(REQUESTS, LOG, SEEN[0], shown, *SEEN[2:]))) == {"rewritten"}
    silent = [replace(entry, digest=None) for entry in LOG]
    assert kinds(violations(history(REQUESTS, silent, SEEN[0], shown))) == {"rewritten"}


def test_the_log_holds_the_move_that_was_sent() -> None:
    log = [*LOG[:3], replace(LOG[3], move="claim")]
    assert kinds(violations(history(REQUESTS, log))) == {"rewritten"}


def test_a_watcher_sees_every_version_once_and_in_order() -> None:
    one, two, three, four = SEEN
    for sightings, kind in (
        ((one, two, four), "missed"),
        ((two, three), "missed"),
        ((one, two, two, three), "repeated"),
        ((one, three, two, four), "reordered"),
        ((one, two, Sighting(3, 3.6, kind="resumed"), four), "missed"),
        ((one, two, three, Sighting(2, 3.6, kind="view"), three), "reordered"),
    ):
        assert kind in kinds(violations(history(REQUESTS, LOG, *sightings))), sightings


def test_a_watcher_that_stays_to_the_end_sees_the_end() -> None:
    assert kinds(violations(history(REQUESTS, LOG, *SEEN[:3], to_end=True))) == {"missed"}
    assert violations(history(REQUESTS, LOG, *SEEN[:3])) == []


def test_a_watcher_sees_nothing_that_is_not_in_the_log() -> None:
    assert kinds(violations(history(REQUESTS, LOG, *SEEN, update(5, "d")))) == {"rewritten"}


def test_a_replay_gives_the_stored_hash() -> None:
    log = [*LOG[:3], replace(LOG[3], replayed_hash="other")]
    assert kinds(violations(history(REQUESTS, log))) == {"hash"}


AFTER_LOSS = [*LOG[:3], entry(4, "d"), entry(5, "e")]
LATER = [ok("d", 4, 6.0, 6.5), ok("e", 5, 7.0, 7.5)]


def test_a_killed_store_may_lose_the_last_moves_where_that_is_allowed() -> None:
    lost = history([*REQUESTS, *LATER], AFTER_LOSS, *SEEN, Sighting(3, 5.5, kind="view"), update(4, "d", 6.6))
    assert kinds(violations(lost)) == {"lost", "rewritten", "reordered"}
    assert violations(lost, lossy_since=3.5, lossy_until=5.0) == []
    assert violations(lost, lossy_since=3.5) == []


def test_a_lost_move_may_be_made_again() -> None:
    again = ok("c", 5, 6.6, 6.9)
    remade = history([*REQUESTS, LATER[0], again], [*AFTER_LOSS[:4], entry(5, "c")])
    assert "doubled" in kinds(violations(remade))
    assert violations(remade, lossy_since=3.5, lossy_until=5.0) == []


def test_a_move_made_on_a_lost_version_may_be_played() -> None:
    late = history([*REQUESTS, replace(LATER[0], version=4)], AFTER_LOSS[:4])
    assert "reordered" in kinds(violations(late))
    assert violations(late, lossy_since=3.5, lossy_until=5.0) == []


def test_a_lost_version_orders_nothing_even_if_it_comes_again_as_it_was() -> None:
    requests = [REQUESTS[0], REQUESTS[2], ok("x", 3, 4.5, 6.0), replace(REQUESTS[2], start=6.5, end=7.0)]
    again = history(requests, [*LOG[:2], entry(3, "x"), LOG[3]])
    assert kinds(violations(again)) == {"reordered"}
    assert violations(again, lossy_since=3.5, lossy_until=5.0) == []


def test_a_move_acknowledged_before_or_after_the_loss_is_not_excused() -> None:
    before = history([*REQUESTS, *LATER], AFTER_LOSS)
    assert "lost" in kinds(violations(before, lossy_since=4.1, lossy_until=5.0))
    after = history([*REQUESTS, *LATER], AFTER_LOSS[:4])
    assert kinds(violations(after, lossy_since=3.5, lossy_until=5.0)) == {"lost"}


def test_a_loss_takes_the_end_and_nothing_from_the_middle() -> None:
    middle = [LOG[0], LOG[1], entry(3, "x"), LOG[3]]
    assert kinds(violations(history(REQUESTS, middle), lossy_since=2.5, lossy_until=5.0)) == {"lost"}


def test_a_loss_excuses_no_gap_no_double_and_no_refused_move() -> None:
    refused = Request("ann", GAME, "d", 3, "draw", 3.1, 4.0, "refused", code="illegal_move")
    for log, kind in (
        ([*LOG[:2], LOG[3]], "gap"),
        ([*LOG, entry(5, "a")], "doubled"),
        ([*LOG, entry(5, "d")], "resurrected"),
    ):
        assert kind in kinds(violations(history([*REQUESTS, refused], log), lossy_since=0.0)), kind


def played(seed: int, moves: int) -> History:
    """A correct game of several clients, with refusals, retries and watchers that reconnect."""
    chance = random.Random(seed)
    log, requests, now = [entry(1, None, "create")], [], 1.0
    for version in range(2, moves + 2):
        client, key, move = (
            f"c{chance.randrange(3)}",
            f"k{version}",
            chance.choice(("draw", "claim", "tickets")),
        )
        if chance.random() < 0.2:
            refused = Request(
                client, GAME, f"r{version}", 0, move, now, now + 0.1, "refused", code="stale_version"
            )
            requests.append(refused)
        first = Request(client, GAME, key, version - 1, move, now, now + chance.random(), "unknown")
        log.append(entry(version, key, move))
        if chance.random() < 0.3:
            requests.append(first)
            first = replace(first, start=first.end + 0.1, end=first.end + 0.2)
        requests.append(replace(first, outcome="ok", answered=version, digest=log[-1].digest))
        now = requests[-1].end + 0.01
    watches = [watched(f"w{number}", log, chance) for number in range(3)]
    return History(requests, watches, {GAME: log})


def watched(name: str, log: list[Entry], chance: random.Random) -> Watch:
    """What a watcher sees that comes and goes."""
    late = 1000.0
    sightings: list[Sighting] = []
    for one in log:
        if sightings and chance.random() < 0.2:
            sightings.append(Sighting(one.version - 1, late, kind=chance.choice(("view", "resumed"))))
        sightings.append(Sighting(one.version, late + one.version, one.digest))
    return Watch(name, GAME, sightings, to_end=True)


def with_log(game: History, log: list[Entry]) -> History:
    return replace(game, logs={GAME: log})


def with_watch(game: History, change: Callable[[list[Sighting]], list[Sighting]]) -> History:
    first, *others = game.watches
    return replace(game, watches=[replace(first, sightings=change(list(first.sightings))), *others])


def lose(game: History, at: int) -> History:
    """Without the entry, those behind it moved up, and nobody watching."""
    log = [one for one in game.logs[GAME] if one.version != at]
    return replace(
        with_log(game, [replace(one, version=number) for number, one in enumerate(log, 1)]), watches=[]
    )


def double(game: History, at: int) -> History:
    log = list(game.logs[GAME])
    return with_log(game, [*log, replace(log[at - 1], version=len(log) + 1)])


def drop(game: History, at: int) -> History:
    return with_log(game, [one for one in game.logs[GAME] if one.version != at])


def swap(game: History, at: int) -> History:
    """Two moves in the other order, in the log and in what the clients were told."""
    log = list(game.logs[GAME])
    log[at - 1], log[at] = replace(log[at], version=at), replace(log[at - 1], version=at + 1)
    told = {one.key: one for one in log}
    requests = [
        replace(request, version=0, answered=told[request.key].version)
        if request.outcome == "ok"
        else request
        for request in game.requests
    ]
    return History([replace(request, version=0) for request in requests], [], {GAME: log})


def resurrect(game: History, at: int) -> History:
    log = list(game.logs[GAME])
    refused = Request("c0", GAME, "late", 0, "draw", 0.0, 0.1, "refused", code="illegal_move")
    return with_log(replace(game, requests=[*game.requests, refused]), [*log, entry(len(log) + 1, "late")])


def updates(sightings: list[Sighting], at: int) -> int:
    """Where the watcher saw a version."""
    return next(index for index, one in enumerate(sightings) if one.version == at and one.kind == "update")


def miss(game: History, at: int) -> History:
    """Without one version and without the reconnection that would excuse it."""
    return with_watch(game, lambda seen: [one for one in seen if one.version != at and one.kind == "update"])


def repeat(game: History, at: int) -> History:
    return with_watch(game, lambda seen: [*seen[: updates(seen, at) + 1], *seen[updates(seen, at) :]])


def rewrite(game: History, at: int) -> History:
    log = list(game.logs[GAME])
    log[at - 1] = replace(log[at - 1], digest="other")
    return with_log(game, log)


def forge(game: History, at: int) -> History:
    log = list(game.logs[GAME])
    log[at - 1] = replace(log[at - 1], state_hash="other")
    return with_log(game, log)


CORRUPTIONS: list[tuple[Callable[[History, int], History], str]] = [
    (lose, "lost"),
    (double, "doubled"),
    (drop, "gap"),
    (swap, "reordered"),
    (resurrect, "resurrected"),
    (miss, "missed"),
    (repeat, "repeated"),
    (rewrite, "rewritten"),
    (forge, "hash"),
]


@given(seed=st.integers(0, 2**32), moves=st.integers(3, 40))
def test_every_correct_game_is_accepted(seed: int, moves: int) -> None:
    game = played(seed, moves)
    assert violations(game) == []
    assert violations(game, lossy_since=0.0) == []


@pytest.mark.parametrize(("corrupt", "kind"), CORRUPTIONS, ids=[kind for _, kind in CORRUPTIONS])
@given(data=st.data(), seed=st.integers(0, 2**32), moves=st.integers(3, 40))
def test_every_corruption_of_a_correct_game_is_found(
    corrupt: Callable[[History, int], History], kind: str, data: st.DataObject, seed: int, moves: int
) -> None:
    at = data.draw(st.integers(2, moves), "version")
    assert kind in kinds(violations(corrupt(played(seed, moves), at)))
