"""Hypothesis strategies for what goes over the line."""

from hypothesis import strategies as st

from firmware_bridge.led_frame import BLACK, LedFrame, Rgb, Run
from firmware_bridge.protocol import wire_constants as wire
from firmware_bridge.protocol.messages import (
    Ack,
    Boot,
    Bye,
    Chain,
    ChainCount,
    Hello,
    HelloOk,
    Lost,
    Message,
    Nak,
    Ping,
    Pixels,
    Pong,
    Runs,
)
from firmware_bridge.protocol.wire_constants import AckFlag, Capability, NakReason, ResetCause

MOST_RUNS = 73
"""As many as fit a board's buffer."""

u8 = st.integers(0, 0xFF)
u16 = st.integers(0, 0xFFFF)
u32 = st.integers(0, 0xFFFF_FFFF)
flags = u8.map(AckFlag)
seqs = st.integers(wire.FIRST_SEQ, wire.LAST_SEQ)
colours = st.builds(Rgb, u8, u8, u8)
runs = st.builds(Run, u8, st.integers(1, 255), colours)
firmware = st.tuples(u8, u8)
greeting = (u16, u16, flags, firmware, u8.map(ResetCause), u16, u16, u16, u16.map(Capability), u32, u8)

messages: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, u16, u16, u16, u8),
    st.builds(Pixels, u8, st.lists(colours, max_size=wire.MAX_LEDS).map(tuple)),
    st.builds(Runs, st.lists(runs, max_size=MOST_RUNS).map(tuple)),
    st.just(Ping()),
    st.just(Bye()),
    st.just(Chain()),
    st.builds(HelloOk, *greeting),
    st.builds(Ack, u16, flags, u16, u16),
    st.builds(Nak, st.sampled_from(NakReason), u16, flags, u8),
    st.builds(Pong, u16, flags, u16, u16, u16, u16, u16, u16, u16, u32),
    st.builds(ChainCount, u8),
    st.builds(Boot, *greeting),
    st.builds(Lost, u16, flags),
)


def frames(n_led: int) -> st.SearchStrategy[LedFrame]:
    """Whole pictures, most of them with long stretches of one colour."""
    few = st.sampled_from((BLACK, Rgb(255, 0, 0), Rgb(0, 160, 120), Rgb(255, 255, 255)))
    return st.lists(few | colours, min_size=n_led, max_size=n_led).map(lambda leds: LedFrame(tuple(leds)))
