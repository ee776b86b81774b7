"""Labelled board pictures by physically based rendering, drawn from a seed: what the networks of `vision` learn from.

A scene is drawn first, as a frozen value (`scene.py` and the files it joins: numpy only). Then dice are dropped on it
(`dice_throw.py`: MuJoCo), light is traced through it (`path_tracer.py` and the `traced_*` files: Mitsuba), a lens and
a sensor take the picture (`exposure.py`: OpenCV), and the label is written from the scene, not from the picture.

World frame: millimetres, origin in the middle of the playing field, x right, y away from the viewer (towards the top
row T), z up, z = 0 on the field. Board frame of the labels: origin in the top-left corner of the field, y down.
Colours are linear RGB albedos. No style here has a name: every wood, cloth, paint and lamp is drawn anew for each
picture, so that no look of the boards used for judging can be learnt by heart.
"""
