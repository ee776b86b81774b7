"""Names for the arrays and tuples of the renderer."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.floating[Any]]
Indices = NDArray[np.signedinteger[Any]]
Bytes = NDArray[np.uint8]
Flags = NDArray[np.bool_]
Vector = tuple[float, float, float]
Colour = tuple[float, float, float]  # linear RGB


def vector(values: ArrayLike) -> Vector:
    """Three plain floats, which can be compared and printed."""
    x, y, z = (float(value) for value in np.asarray(values, float))
    return x, y, z
