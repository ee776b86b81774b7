"""Random layout of a scene: board, camera, lamps, checkers, dice, hand, objects. No light is traced here."""
