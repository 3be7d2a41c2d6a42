"""Records of finished games in their JSON form, `turntable-record/1`: replayed and checked from beginning to end."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from json import dumps
from typing import Any, Final

from turntable_rules.boards.faults import BoardError
from turntable_rules.boards.parse import parse_board
from turntable_rules.editions import ruleset
from turntable_rules.engine.deal import new_game
from turntable_rules.engine.move_numbers import to_action
from turntable_rules.engine.moves import move_from_json
from turntable_rules.engine.options import OptionError
from turntable_rules.engine.play import play
from turntable_rules.engine.refusals import IllegalMove
from turntable_rules.engine.result import result_to_json
from turntable_rules.engine.retirement import retire
from turntable_rules.engine.revision import ENGINE_REVISION
from turntable_rules.engine.rng import SEED_BYTES
from turntable_rules.engine.scoring import score
from turntable_rules.engine.state import FINISHED, State
from turntable_rules.engine.state_hash import state_hash

RECORD_FORMAT: Final = "turntable-record/1"
_PURPOSE: Final = b"turntable-deal/1"


@dataclass(frozen=True)
class Verdict:
    """Whether a record is valid; if not, what is wrong and at which entry of its log (from 0; None: not in the log)."""

    valid: bool
    fault: str = ""
    entry: int | None = None
    entries: int = 0
    """Entries that were checked and right."""

    def __str__(self) -> str:
        if self.valid:
            return f"valid: {self.entries} entries replayed, every hash and the result agree"
        place = "" if self.entry is None else f" at log entry {self.entry}"
        return f"diverges{place}: {self.fault}"


def deal_seed(seed: bytes, entropies: Iterable[tuple[int, bytes]]) -> bytes:
    """The seed of the deal: the server's own, unless seats have added entropy; then nobody chose it alone."""
    added = sorted(entropies)
    if not added:
        return seed
    mixed = sha256(_PURPOSE + seed)
    for seat, entropy in added:
        mixed.update(seat.to_bytes(1, "big") + sha256(entropy).digest())
    return mixed.digest()


def verify_record(record: object) -> Verdict:
    """Recompute everything a record says; never raises, whatever it is given."""
    try:
        return _verify(record)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
        return Verdict(False, f"the record cannot be read: {type(error).__name__}: {str(error)[:200]}")


def _verify(record: object) -> Verdict:
    if not isinstance(record, Mapping) or record.get("format") != RECORD_FORMAT:
        return Verdict(False, f"this is no record of the format {RECORD_FORMAT}")
    if record["engine"] != ENGINE_REVISION:
        return Verdict(False, f"engine revision {record['engine']} is not the one here, {ENGINE_REVISION}")
    seed = bytes.fromhex(record["seed"])
    if len(seed) != SEED_BYTES or not compare_digest(sha256(seed).hexdigest(), record["seedCommitment"]):
        return Verdict(False, "the seed is not the one committed to when the game was created")
    entropies: list[tuple[int, bytes]] = []
    for added in record.get("entropies", []):
        entropy = bytes.fromhex(added["entropy"])
        if entropy and sha256(entropy).hexdigest() != added["entropyHash"]:
            return Verdict(False, f"the entropy of seat {added['seat']} is not the one it committed to")
        if entropy:
            entropies.append((int(added["seat"]), entropy))
    try:
        board = parse_board(dumps(record["board"])) if record.get("board") is not None else None
        rules = ruleset(record["edition"], record["players"], record["options"], board)
    except (BoardError, OptionError) as error:
        return Verdict(False, f"there is no such ruleset: {error}")
    if rules.digest != record.get("boardDigest", rules.digest):
        return Verdict(False, "the board is not the one the game was played on")
    return _replay(record, new_game(rules, deal_seed(seed, entropies)))


def _replay(record: Mapping[str, Any], state: State) -> Verdict:
    verdict = None
    for number, entry in enumerate(record["log"]):
        try:
            if entry["kind"] == "move":
                seat = entry["seat"]
                play(state, seat, to_action(state, seat, move_from_json(entry["move"])))
            elif entry["kind"] == "retire":
                retire(state, entry["seat"])
            elif entry["kind"] == "adjudicate":
                verdict = entry
        except IllegalMove as illegal:
            return Verdict(False, str(illegal.refusal), number, number)
        if entry.get("stateHash") and entry["stateHash"] != state_hash(state):
            return Verdict(False, "the state differs from the one recorded", number, number)
    count = len(record["log"])
    if record["finalHash"] != state_hash(state):
        return Verdict(False, "the final state differs from the one recorded", None, count)
    if state.phase != FINISHED and verdict is None:
        return Verdict(False, "the game is not over", None, count)
    if not _same_result(record["result"], result_to_json(score(state)), verdict):
        return Verdict(False, "the result differs from the one recorded", None, count)
    return Verdict(True, entries=count)


def _same_result(
    recorded: Mapping[str, Any], found: Mapping[str, Any], verdict: Mapping[str, Any] | None
) -> bool:
    winners, ending = found["winners"], found["ending"]
    if verdict is not None:
        winners, ending = verdict.get("winners") or winners, "adjudicated"
    if recorded["winners"] != winners or recorded["ending"] != ending:
        return False
    for old, new in zip(recorded["seats"], found["seats"], strict=True):
        renamed = {"longestPath": "longest_path", "borrowedRoutes": "loans", "cityBonuses": "city_bonuses"}
        if any(old[key] != new[renamed.get(key, key)] for key in old):
            return False
    return True
