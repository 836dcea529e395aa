// The line to the device: follows the state, asks for things, comes back by itself after sleep or a lost network.
const FIRST_MS = 300, LONGEST_MS = 5000;
const SLEPT_MS = 15_000; // Hidden for longer, a line may seem to live that nobody holds at the other end.
const SILENT_MS = 15_000, CHECK_MS = 3000; // The other end says something every five seconds.

const SHIFTED = ["view", "tables"];
/** The state with what changed in it. Null takes away; a "view" and the hall's "tables" are changed in their parts. */
const changed = (old, change) => {
  const now = { ...old };
  for (const [name, value] of Object.entries(change)) {
    if (value === null) delete now[name];
    else now[name] = SHIFTED.includes(name) && now[name] && value ? changed(now[name], value) : value;
  }
  return now;
};

export class Link {
  /** on: what to call with {state}, {hello}, {there} (is the line up), other messages, and pictures. */
  constructor(on) {
    this.on = on;
    this.state = null;
    this.wanted = new Map();
    this.waiting = new Map();
    this.number = 0;
    this.pause = FIRST_MS;
    this.open();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden) this.hiddenAt = Date.now();
      else if (!this.there || Date.now() - this.hiddenAt > SLEPT_MS) this.again();
    });
    addEventListener("online", () => this.again());
    addEventListener("pageshow", (event) => event.persisted && this.again());
    setInterval(() => {
      if (Date.now() - this.heard < SILENT_MS) return;
      this.on.there?.(false);
      this.again();
    }, CHECK_MS);
  }

  get there() { return this.socket?.readyState === WebSocket.OPEN; }

  open() {
    clearTimeout(this.timer);
    this.heard = Date.now();
    const socket = (this.socket = new WebSocket(`ws://${location.host}/live`));
    socket.binaryType = "blob";
    socket.onopen = () => {
      this.pause = FIRST_MS;
      this.on.there?.(true);
      if (this.wants.length) this.send({ look: this.wants });
    };
    socket.onmessage = (event) => socket === this.socket && this.hear(event.data);
    socket.onclose = () => {
      if (socket !== this.socket) return;
      for (const { refuse } of this.waiting.values()) refuse({ refused: "away" });
      this.waiting.clear();
      this.on.there?.(false);
      this.timer = setTimeout(() => this.open(), this.pause * (0.7 + Math.random() * 0.6));
      this.pause = Math.min(this.pause * 1.7, LONGEST_MS);
    };
  }

  /** A new line at once, whatever became of the old one. */
  again() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    for (const { refuse } of this.waiting.values()) refuse({ refused: "away" });
    this.waiting.clear();
    this.pause = FIRST_MS;
    this.open();
  }

  hear(data) {
    this.heard = Date.now();
    if (typeof data !== "string") return this.on.picture?.(data);
    const message = JSON.parse(data);
    if (message.state) this.on.state?.((this.state = message.state));
    else if (message.change) this.on.state?.((this.state = changed(this.state, message.change)));
    else if (message.done !== undefined) {
      const waiting = this.waiting.get(message.done);
      this.waiting.delete(message.done);
      if (message.refused) waiting?.refuse(message);
      else waiting?.resolve(message.value);
    } else if (!message.tick) this.on.message?.(message);
  }

  send(message) { if (this.there) this.socket.send(JSON.stringify(message)); }

  get wants() { return [...new Set([...this.wanted.values()].flat())]; }

  /** What a part of the page is to be shown beside the state: "log", "camera". */
  look(wants, part = "view") {
    this.wanted.set(part, wants);
    this.send({ look: this.wants });
  }

  /** Asks for something to be done; resolves with what came of it, or rejects with {refused: code}. */
  ask(what, facts = {}) {
    return new Promise((resolve, refuse) => {
      if (!this.there) return refuse({ refused: "away" });
      const id = ++this.number;
      this.waiting.set(id, { resolve, refuse });
      this.send({ id, ask: what, facts });
    });
  }
}
