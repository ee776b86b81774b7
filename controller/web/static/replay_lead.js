// Tells the server where the operator stands in a replay, so that the overlay follows: the newest place, not too often.

const EVERY_MS = 350;

export class Lead {
  constructor(headers) {
    this.headers = { ...headers, "Content-Type": "application/json" };
    this.wanted = null;
    this.told = null;
    this.isTelling = false;
  }

  async to(number) {
    this.wanted = number;
    if (this.isTelling) return;
    this.isTelling = true;
    while (this.told !== this.wanted) {
      await this.tell(this.wanted);
      await new Promise((done) => setTimeout(done, EVERY_MS));
    }
    this.isTelling = false;
  }

  // What does not arrive is not tried again: the next step says where he is then.
  async tell(number) {
    this.told = number;
    await fetch("/api/replay", { method: "POST", headers: this.headers, body: JSON.stringify({ number }) }).catch(() => {});
  }
}
