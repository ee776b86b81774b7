"""Makes the weights in `vision/models`: pictures, samples, networks, training. The product never imports it."""
