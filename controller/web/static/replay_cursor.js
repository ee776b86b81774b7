// Sends the operator's newest position in a replay to the server, not too often, so that the overlay follows.

const EVERY_MS = 350;

export class CursorSender {
  constructor(api) {
    this.api = api;
    this.wanted = null;
    this.sent = null;
    this.isSending = false;
  }

  async moveTo(number) {
    this.wanted = number;
    if (this.isSending) return;
    this.isSending = true;
    while (this.sent !== this.wanted) {
      await this.send(this.wanted);
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
    this.isSending = false;
  }

  // A failed request is not repeated; the next step sends the next position.
  async send(number) {
    this.sent = number;
    await this.api.post("/api/replay", { number });
  }
}
