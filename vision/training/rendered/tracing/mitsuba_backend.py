"""Starts Mitsuba with its LLVM back end, which needs a shared library of LLVM 17 or newer.

`path_tracer.py` and the `traced_*` files need `start` first.
"""

import os
from pathlib import Path

from vision.training.rendered.errors import NoLlvmError

_VARIANT = "llvm_ad_rgb"
_LIBRARY = "DRJIT_LIBLLVM_PATH"
# Paths of Debian, Ubuntu and Fedora. Versions 15 and 16 load, but cannot compile for processors with AVX-512.
_PLACES = ("/usr/lib/*-linux-gnu/libLLVM*{version}*.so*", "/usr/lib64/libLLVM*{version}*.so*")
_VERSIONS = (21, 20, 19, 18, 17)


def start(threads: int) -> None:
    """Loads Mitsuba; 0 threads means one for each core. Raises NoLlvmError."""
    os.environ.setdefault(_LIBRARY, _newest_llvm())
    import drjit
    import mitsuba

    mitsuba.set_variant(_VARIANT)
    if threads:
        drjit.set_thread_count(threads)


def free_memory() -> None:
    """Frees the caches of the last picture, which grow without limit otherwise."""
    import drjit

    drjit.flush_malloc_cache()


def _newest_llvm() -> str:
    if _LIBRARY in os.environ:
        return os.environ[_LIBRARY]
    for version in _VERSIONS:
        for place in _PLACES:
            found = sorted(Path("/").glob(place.format(version=version).removeprefix("/")))
            if found:
                return str(found[0])
    raise NoLlvmError
