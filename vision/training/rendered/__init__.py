"""Labelled pictures of boards by physically based rendering: training data for the networks of `vision`.

A scene is first drawn as a frozen value (`scene.py` and `layout/`: numpy only). Then dice are dropped on it
(`layout/dice_throw.py`: MuJoCo), light is traced through it (`tracing/`: Mitsuba), a lens and a sensor take the picture
(`exposure.py`: OpenCV), and the label is computed from the scene, not from the picture.

World frame: millimetres, origin in the middle of the playing field, x right, y away from the viewer (towards the top
row T), z up, z = 0 on the field. Board frame of the labels: origin in the top-left corner of the field, y down. Colours
are linear RGB albedos. Every wood, cloth, paint and lamp is drawn anew for each picture, so that no network can
memorise the styles of the evaluation boards.
"""
