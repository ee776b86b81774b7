"""The checks of `zarbiter doctor`: camera, light board, voice and machine (`README.md`).

Each name loads its module at its first use (PEP 562).
"""

from typing import TYPE_CHECKING

from controller.lazy_names import lazy_getattr

if TYPE_CHECKING:
    from controller.doctor.camera import (
        CameraSample,
        calibration_findings,
        camera_findings,
        picture_findings,
        sample_camera,
    )
    from controller.doctor.findings import (
        Check,
        Finding,
        fault,
        finding_line,
        finding_record,
        has_fault,
        ok,
        run_checks,
        summarise,
    )
    from controller.doctor.lights import light_findings, voice_findings
    from controller.doctor.machine import (
        Machine,
        clock_findings,
        disk_findings,
        group_findings,
        memory_findings,
        pin_findings,
        power_findings,
        version_findings,
    )

__all__ = [
    "CameraSample",
    "Check",
    "Finding",
    "Machine",
    "calibration_findings",
    "camera_findings",
    "clock_findings",
    "disk_findings",
    "fault",
    "finding_line",
    "finding_record",
    "group_findings",
    "has_fault",
    "light_findings",
    "memory_findings",
    "ok",
    "picture_findings",
    "pin_findings",
    "power_findings",
    "run_checks",
    "sample_camera",
    "summarise",
    "version_findings",
    "voice_findings",
]

# Module of this room -> the names in `__all__` that it defines.
_MODULES = {
    "camera": ("CameraSample", "calibration_findings", "camera_findings", "picture_findings", "sample_camera"),
    "findings": (
        "Check",
        "Finding",
        "fault",
        "finding_line",
        "finding_record",
        "has_fault",
        "ok",
        "run_checks",
        "summarise",
    ),
    "lights": ("light_findings", "voice_findings"),
    "machine": (
        "Machine",
        "clock_findings",
        "disk_findings",
        "group_findings",
        "memory_findings",
        "pin_findings",
        "power_findings",
        "version_findings",
    ),
}

if not TYPE_CHECKING:  # a type checker sees the imports above, and reports a name that does not exist
    __getattr__ = lazy_getattr(__name__, _MODULES)
