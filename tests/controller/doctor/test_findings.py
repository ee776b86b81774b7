import json
from collections.abc import Iterator

from controller.doctor.findings import (
    Check,
    Finding,
    Severity,
    fault,
    finding_line,
    finding_record,
    has_fault,
    ok,
    run_checks,
    summarise,
    warning,
)


def test_an_exception_in_a_check_becomes_a_finding_and_the_other_checks_run() -> None:
    """The finding is a warning with the message on one line."""

    def falls_over() -> Iterator[Finding]:
        yield ok("camera", "it opens.")
        raise RuntimeError("driver\nsays  no")

    found = list(run_checks([Check("camera", falls_over), Check("disk", lambda: [ok("disk", "fine.")])]))
    verdicts = [("camera", Severity.OK), ("camera", Severity.WARNING), ("disk", Severity.OK)]
    assert [(each.check, each.severity) for each in found] == verdicts
    assert found[1].sentence == "this could not be checked: RuntimeError: driver says no"


def test_a_row_and_a_record() -> None:
    """A finding is a row of a table for people, and a JSON object for programs."""
    found = fault("light board", "it is gone; plug it in.")
    assert finding_line(found) == "fault   light board       it is gone; plug it in."
    record = {"check": "light board", "verdict": "fault", "sentence": "it is gone; plug it in."}
    assert json.loads(json.dumps(finding_record(found))) == record


def test_the_summary_counts_and_only_a_fault_is_a_failure() -> None:
    """Faults come before warnings."""
    fine, doubtful, broken = ok("a", "."), warning("b", "."), fault("c", ".")
    assert summarise([fine]) == "All is well."
    assert summarise([fine, doubtful, doubtful]) == "2 warnings found."
    assert summarise([broken, doubtful]) == "1 fault and 1 warning found."
    assert (has_fault([doubtful, broken]), has_fault([fine, doubtful])) == (True, False)
