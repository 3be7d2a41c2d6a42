"""Every clause of the rules is cited by a test, every listed scenario is one, and no citation is a misprint."""

from __future__ import annotations

import pytest

from tests.meta.clauses import cited, listed
from tools.mutants import Mutant, all_mutants, fault, survives

pytestmark = pytest.mark.tree

CLAUSES, SCENARIOS = listed()


def test_the_rules_have_330_clauses():
    assert len(CLAUSES) == len(set(CLAUSES)) == 330


def test_every_clause_is_cited_by_a_test():
    assert sorted(set(CLAUSES) - set(cited("clause"))) == []


def test_every_scenario_is_a_test():
    assert sorted(set(SCENARIOS) - set(cited("scenario"))) == []


def test_nothing_is_cited_that_is_not_in_the_rules():
    assert sorted(set(cited("clause")) - set(CLAUSES)) == []
    assert sorted(set(cited("scenario")) - set(SCENARIOS)) == []


def test_the_list_of_deliberate_breakages_is_long_and_covers_all_editions():
    """`make mutants` carries all of them out."""
    mutants = all_mutants()
    clauses = {mutant.clause for mutant in mutants}
    assert clauses <= set(CLAUSES)
    assert len(clauses) >= 80
    for prefix in ("COMMON-", "USA", "LYON-", "EUR-", "SWI-", "CARD-", "INFO-", "FSM-"):
        assert any(clause.startswith(prefix) for clause in clauses), prefix


def test_every_deliberate_breakage_still_fits_the_sources():
    assert [problem for problem in map(fault, all_mutants()) if problem] == []


@pytest.mark.slow
def test_a_breakage_is_caught_and_a_harmless_change_is_not():
    broken = Mutant("COMMON-PATH-6", "engine/scoring.py", "if longest > 0 and tally", "if tally")
    assert survives(broken) is None
    harmless = Mutant(
        "COMMON-PATH-6", "engine/scoring.py", '"""COMMON-PATH-5, -6."""', '"""COMMON-PATH-5 and -6."""'
    )
    assert "survived" in str(survives(harmless))
