"""How the weights in `vision/models` were made: pictures, samples, networks, training. Never imported at play."""
