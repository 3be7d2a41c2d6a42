"""Events as JSON: the facts one reader may know of what happened."""

from typing import Any, Final

from turntable_session.forms.results import result_form

Form = dict[str, Any]

_KEYS: Final = {
    "tickets_kept": "ticketsKept",
    "tickets_rejected": "ticketsRejected",
    "turns_left": "turnsLeft",
}
"""The keys of two words; a test holds them together with docs/engine.md."""


def event_form(facts: Form) -> Form:
    """The facts of `Event.seen_by`; types and other values keep their words."""
    form = {_KEYS.get(key, key): value for key, value in facts.items()}
    if "result" in form:
        form["result"] = result_form(form["result"])
    return form
