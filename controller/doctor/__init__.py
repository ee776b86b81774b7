"""The checks of `zarbiter doctor`: camera, light board, voice and machine (`README.md`).

Each name loads its module at its first use (`lazy_names.py`).
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
        warning,
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
else:
    __getattr__, __all__ = lazy_getattr(__name__, __file__)
