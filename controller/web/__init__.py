"""The live page: a sink of the loop, a web server in a thread of its own, and the orders that come back (`README.md`)."""
