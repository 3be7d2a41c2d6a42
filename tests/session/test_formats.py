"""Games stored by any version of this program still load; those of a later one are refused, not misread."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.kit.house import NOBODY, House
from tools.session_samples import FILE, digest_of
from turntable_session.problems import Problem
from turntable_session.store import names

pytestmark = pytest.mark.tree

GOLDEN = Path(__file__).resolve().parent.parent / "golden"
SAMPLES: dict[str, dict[str, Any]] = {
    f"{path.stem}-{sample['edition']}": sample
    for path in sorted(GOLDEN.glob("session-*.json"))
    for sample in json.loads(path.read_text())
}
GAME = "0000" + "s" * 24


def test_the_present_formats_have_samples() -> None:
    assert FILE.exists(), "python -m tools.session_samples --write"


async def put(house: House, sample: dict[str, Any], entries: list[bytes], snapshot: bool) -> None:
    """Lay a stored game into the store as it was found on disk."""
    lane = house.store.servers.lane(0)
    await lane.call(("DEL", *names.all_of(GAME)))
    for version, entry in enumerate(entries, 1):
        await lane.call(("XADD", names.log(GAME), f"{version}-0", "e", entry))
    await lane.call(
        ("HSET", names.head(GAME), "version", len(entries), "tag", base64.b64decode(sample["tag"]))
    )
    if snapshot:
        stored = base64.b64decode(sample["snapshot"])
        await lane.call(("HSET", names.head(GAME), "at", sample["snapshot_version"], "game", stored))


@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES.keys())
@pytest.mark.parametrize("snapshot", [True, False], ids=["from-snapshot", "from-log"])
async def test_a_stored_game_loads_and_gives_its_record(
    local: House, sample: dict[str, Any], snapshot: bool
) -> None:
    entries = [base64.b64decode(entry) for entry in sample["entries"]]
    await put(local, sample, entries, snapshot)
    facts = await local.sessions.get_game(NOBODY, GAME)
    assert (facts.status, facts.version) == ("finished", len(entries))
    assert digest_of(await local.sessions.get_record(NOBODY, GAME)) == sample["record"]


async def test_a_later_format_is_refused(local: House) -> None:
    sample = next(iter(SAMPLES.values()))
    entries = [base64.b64decode(entry) for entry in sample["entries"]]
    later = msgspec.msgpack.decode(entries[0])
    later[0] = 1_000
    await put(local, sample, [msgspec.msgpack.encode(later), *entries[1:]], False)
    with pytest.raises(Problem) as caught:
        await local.sessions.get_game(NOBODY, GAME)
    assert caught.value.code == "unavailable" and "another version" in caught.value.detail
