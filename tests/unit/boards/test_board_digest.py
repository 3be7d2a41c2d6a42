"""The digest changes with every fact of play and with nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.unit.boards.small import Json, small_board, small_cards, spread
from turntable_rules.boards import builtin_board, builtin_cards, parse_board, parse_cards

Edit = Callable[[Json], object]


def swap(key: str) -> Edit:
    return lambda data: data[key].insert(0, data[key].pop(1))


COSMETIC: dict[str, Edit] = {
    "name": lambda d: d.update(name="Other"),
    "place name": lambda d: d["cities"][0].update(name="Other"),
    "coordinates": lambda d: d["cities"][0].update(x=11, y=12),
    "label": lambda d: d["cities"][0].update(label="w"),
    "size": lambda d: d.update(board={"width": 500, "height": 500}),
    "rivers": lambda d: d.update(rivers={"Styx": [[1, 2], [3, -4]]}),
    "country name": lambda d: d["countries"][0].update(name="Other"),
    "printed": lambda d: d["tickets"][0].update(printed=False),
    "reconstructed": lambda d: d.update(reconstructed=True),
    "format left out": lambda d: d.pop("format"),
    "spelling": lambda d: d["routes"][0].update(colour=d["routes"][0].pop("color")),
    "default spelt out": lambda d: d["routes"][0].update(kind="rail", locomotives=0),
}
FACTS: dict[str, Edit] = {
    "place order": swap("cities"),
    "route order": swap("routes"),
    "ticket order": swap("tickets"),
    "route id": lambda d: d["routes"][0].update(id="other"),
    "length": lambda d: d["routes"][0].update(length=3),
    "colour": lambda d: d["routes"][0].update(color="green"),
    "gray": lambda d: d["routes"][0].update(color="gray"),
    "kind": lambda d: d["routes"][0].update(kind="tunnel"),
    "locos": lambda d: d["routes"][2].update(locomotives=2),
    "ends": lambda d: d["routes"][3].update(a="b"),
    "ticket id": lambda d: d["tickets"][0].update(id="other"),
    "ticket end": lambda d: d["tickets"][0].update(b="b"),
    "points": lambda d: d["tickets"][0].update(points=10),
    "deck": lambda d: d["tickets"][0].update(deck="regular"),
    "target": lambda d: d["tickets"][2]["targets"].pop(),
    "target points": lambda d: d["tickets"][2]["targets"][0].update(points=4),
    "exits": lambda d: (
        d["countries"][0]["exits"].remove("utopia_d"),
        d["cities"][5].update(country=None),
    ),
}


def digest_of(edit: Edit) -> str:
    data = small_board()
    edit(data)
    return parse_board(spread(data)).digest


@pytest.mark.parametrize("edit", COSMETIC.values(), ids=COSMETIC)
def test_looks_do_not_count(edit: Edit) -> None:
    assert digest_of(edit) == digest_of(lambda _: None)


def test_facts_count() -> None:
    """Every edit gives a digest of its own."""
    digests = {name: digest_of(edit) for name, edit in FACTS.items()} | {"none": digest_of(lambda _: None)}
    assert len(set(digests.values())) == len(digests)


def test_card_set_digest() -> None:
    def digest(edit: Edit) -> str:
        data = small_cards()
        edit(data)
        return parse_cards(spread(data)).digest

    plain = digest(lambda _: None)
    assert digest(lambda d: d["cities"][0].update(name="Other")) == plain
    assert digest(lambda d: d.update(big_city_colours={"p": "red"}, substitute=True)) == plain
    facts: list[Edit] = [
        swap("destinations"),
        lambda d: d["train_deck"].update(per_colour=11),
        lambda d: d["train_deck"].update(locomotive=15),
        lambda d: d["bonuses"].update(p=9),
        lambda d: d["destinations"][0].update(points=8),
        lambda d: d["destinations"][1]["cards"].update(red=1),
    ]
    assert len({plain, *(digest(edit) for edit in facts)}) == len(facts) + 1


def test_digests_of_the_published_data_are_distinct_hashes() -> None:
    digests = [builtin_board(name).digest for name in ("usa", "europe", "switzerland", "lyon")]
    digests.append(builtin_cards().digest)
    assert len(set(digests)) == 5
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in digests)
