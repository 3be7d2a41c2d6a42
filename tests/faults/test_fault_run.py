"""The long run of faults in short: some kills of every kind, and nothing lost, doubled or shown wrongly."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tools.faults import KINDS, Kind, Round

pytestmark = [pytest.mark.tree, pytest.mark.timeout(110)]


@pytest.mark.parametrize("kind", [KINDS[0], KINDS[1], KINDS[-1]], ids=["everysec", "acknowledged", "cluster"])
async def test_kills_under_load_break_no_promise(kind: Kind, tmp_path: Path) -> None:
    one = Round(kind, Random(3), 6 if kind.is_cluster else 10)
    await one.run(tmp_path)
    assert one.violations == []
    assert one.kills.total() == (6 if kind.is_cluster else 10) and len(one.kills) == 2
    assert one.counts["acknowledged"] > 20
