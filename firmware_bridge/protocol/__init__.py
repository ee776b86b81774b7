"""BGLP, the protocol of our firmware: messages, their framing as bytes, and the state machine of the line."""
