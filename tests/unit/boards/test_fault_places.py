"""Faults are reported together, each with its place in the file, and the text reader finds those places."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.boards.small import faults_in, small_board
from turntable_rules.boards import BoardError, Code, Fault
from turntable_rules.boards.faults import SHOWN
from turntable_rules.boards.scan import MAX_DEPTH, Node, scan

MANY = """{
 "id": "many",
 "cities": [
  {"id": "a", "x": 1, "y": 1},
  {"id": "b", "x": 2,
   "y": "two"},
  {"id": "a", "x": 3, "y": 1}
 ],
 "routes": [
  {"id": "ab", "a": "a", "b": "b", "length": 2, "color": "red"},
  {"id": "ba", "a": "b", "b": "a", "length": 99, "color": "pink"},
  {"id": "ax", "a": "a", "b": "x", "length": 2, "color": "red",
   "kind": "tunnel",
   "locomotives": 1}
 ],
 "tickets": [
  {"id": "t", "a": "a", "b": "b", "points": 0},
  {"id": "u", "from": "a", "targets": [
    {"to": "b", "points": 3},
    {"to": "a", "points": 3}]},
  {"id": "v", "a": "a", "b": "b", "points": 1, "pts": 1, "id": "w"}
 ]
}
"""


@pytest.mark.clause("COMMON-CLAIM-16", "COMMON-DOUBLE-6")
def test_many_faults_at_once_with_paths_and_lines() -> None:
    """COMMON-CLAIM-16, COMMON-DOUBLE-6 and others, all in one answer, from the top of the file down."""
    assert [(fault.line, fault.path, fault.code) for fault in faults_in(MANY)] == [
        (6, "cities[1].y", Code.WRONG_TYPE),
        (7, "cities[2].id", Code.DUPLICATE_ID),
        (11, "routes[1].length", Code.BAD_LENGTH),
        (11, "routes[1].color", Code.UNKNOWN_COLOUR),
        (11, "routes[1].double_group", Code.PARALLEL_WITHOUT_GROUP),
        (12, "routes[2].b", Code.UNKNOWN_PLACE),
        (14, "routes[2].locomotives", Code.FERRY_AND_TUNNEL),
        (17, "tickets[0].points", Code.BAD_POINTS),
        (20, "tickets[1].targets[1].to", Code.TARGET_IS_START),
        (21, "tickets[2].id", Code.DUPLICATE_KEY),
        (21, "tickets[2].pts", Code.UNKNOWN_KEY),
    ]


def test_the_error_reads_well() -> None:
    with pytest.raises(BoardError) as caught:
        raise BoardError(faults_in(MANY))
    lines = str(caught.value).splitlines()
    assert lines[0] == "11 faults"
    assert lines[7].startswith("  line 14: routes[2].locomotives: ")
    assert lines[7].endswith("[ferry_and_tunnel] (COMMON-CLAIM-16)")
    assert str(BoardError([Fault(Code.NO_ROUTES, "", None, "none")])) == "1 fault\n  file: none [no_routes]"
    long = str(BoardError([Fault(Code.BAD_ID, "id", 1, "x")] * (SHOWN + 7))).splitlines()
    assert (len(long), long[-1]) == (SHOWN + 2, "  and 7 more")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("   \n ", 2, 2),
        ("{", 1, 2),
        ('{"id": }', 1, 8),
        ('{"id": "x",}', 1, 12),
        ('{"id" "x"}', 1, 7),
        ("{id: 1}", 1, 2),
        ("[1 2]", 1, 4),
        ("[1,\n 2,\n nul]", 3, 2),
        ('{"a": 1} x', 1, 10),
        ('"a\nb"', 1, 1),
        ('["\\x"]', 1, 2),
        ("[01]", 1, 3),
        ("[+1]", 1, 2),
        ("{'id': 1}", 1, 2),
        ("// no\n{}", 1, 1),
        ("\x00", 1, 1),
    ],
)
def test_text_that_is_not_json(text: str, line: int, column: int) -> None:
    (fault,) = faults_in(text)
    assert (fault.code, fault.path, fault.line, fault.column) == (Code.BAD_JSON, "", line, column)
    assert f"line {line}, column {column}" in str(fault)


@pytest.mark.parametrize("depth", [MAX_DEPTH + 2, 1000, 100_000])
@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_deep_nesting_is_a_fault(depth: int, bracket: str) -> None:
    """Neither the depth nor the size of junk may exhaust the stack."""
    (fault,) = faults_in((bracket * depth)[: 250 * 1024])
    assert fault.code == Code.TOO_DEEP


@pytest.mark.parametrize("text", ["null", "[]", "3", '"board"', "true", "NaN"])
def test_a_file_that_is_no_object(text: str) -> None:
    assert [(fault.code, fault.path, fault.line) for fault in faults_in(text)] == [(Code.WRONG_TYPE, "", 1)]


def test_a_mark_at_the_start_of_the_file_is_ignored() -> None:
    assert faults_in("\ufeff" + json.dumps(small_board())) == []


def test_keys_that_cannot_be_printed_do_not_spoil_the_report() -> None:
    data = small_board() | {"\ud800\n" + "k" * 500: 1}
    (fault,) = faults_in(json.dumps(data))
    assert fault.code == Code.UNKNOWN_KEY
    assert str(fault).isprintable()
    assert len(str(fault)) < 200


def plain(node: Node) -> object:
    """A node as the standard reader would give it."""
    if isinstance(node.value, dict):
        return {key: plain(inner) for key, inner in node.value.items()}
    if isinstance(node.value, list):
        return [plain(inner) for inner in node.value]
    return node.value


values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**14), 10**14) | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(values, st.sampled_from([None, 0, 1, "\t"]), st.booleans())
def test_reads_what_the_standard_reader_reads(
    value: object, indent: int | str | None, ascii_only: bool
) -> None:
    faults: list[Fault] = []
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only)
    assert plain(scan(text, faults)) == value == json.loads(text)
    assert faults == []


@given(st.text(alphabet='{}[]",:0123456789.-+eE\\u tfn\n"a', max_size=30))
def test_refuses_what_the_standard_reader_refuses(text: str) -> None:
    try:
        expected = json.loads(text)
    except ValueError:
        with pytest.raises(BoardError):
            scan(text, [])
    else:
        faults: list[Fault] = []  # of a repeated key the standard reader keeps the last, without a word
        assert repr(plain(scan(text, faults))) == repr(expected) or faults


def test_every_node_knows_its_path_and_line() -> None:
    text = json.dumps(small_board(), indent=2)
    lines = text.splitlines()

    def walk(node: Node) -> int:
        assert node.line <= len(lines)
        if isinstance(node.value, dict):
            for key, inner in node.value.items():
                assert f'"{key}":' in lines[inner.line - 1]
                assert inner.path == (f"{node.path}.{key}" if node.path else key)
            return sum(walk(inner) for inner in node.value.values())
        if isinstance(node.value, list):
            for number, inner in enumerate(node.value):
                assert inner.path == f"{node.path}[{number}]"
            return sum(walk(inner) for inner in node.value)
        assert json.dumps(node.value) in lines[node.line - 1]
        return 1

    assert walk(scan(text, [])) == text.count(": ") - text.count(": {") - text.count(": [") + 2  # two exits
