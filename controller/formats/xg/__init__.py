"""eXtreme Gammon's binary files (.xg, .xgp): records of fixed size in a compressed archive."""
