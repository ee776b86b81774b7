"""The pins of a Raspberry Pi: debounced buttons, the GPIO libraries that read pins, and beeps of the buzzer."""
