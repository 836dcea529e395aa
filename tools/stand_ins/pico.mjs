// Runs the firmware under MicroPython (WebAssembly) and lets a test drive it: a JSON object a line in, one out.
//   node pico.mjs MICROPYTHON.MJS FIRMWARE_FOLDER BOARD.PY
// boot · step · run · call · python
// live: from then on in real time, behind a TCP port. repl: the same, but a Pico with nothing but MicroPython on it
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import readline from "node:readline";
import { pathToFileURL } from "node:url";

const [engine, firmware, hardware] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(engine));
const say = (what) => process.stdout.write(JSON.stringify(what) + "\n");
const HEAP_BYTES = 192 * 1024; // About what MicroPython leaves free on a Pico.
const STEP_MS = 5;

const flash = new Map(); // The files that outlive a restart.
let mp, printed, timer, server, socket = null, arrived = Buffer.alloc(0), last = "";
// What Python handed out, by name, and for ever: were it let go of, MicroPython would free its number in whichever
// interpreter was started last, and that one would fall over.
let known;
const held = [];

function unplug() {
  clearInterval(timer);
  server?.close();
  socket?.destroy();
  [server, socket, arrived, last] = [null, null, Buffer.alloc(0), ""];
}

async function start(options) {
  mp = await loadMicroPython({ heapsize: HEAP_BYTES, ...options });
  held.push((known = new Map()));
}

function board(name) {
  if (!known.has("")) known.set("", mp.globals.get("board"));
  if (!known.has(name)) known.set(name, known.get("")[name]);
  return known.get(name);
}

async function power() {
  printed = [];
  await start({ stdout: (line) => printed.push(line), linebuffer: true });
  mp.FS.mkdir("/firmware");
  for (const name of fs.readdirSync(firmware).filter((name) => name.endsWith(".py")))
    mp.FS.writeFile(`/firmware/${name}`, fs.readFileSync(path.join(firmware, name)));
  solder();
}

function solder() {
  mp.FS.writeFile("/board.py", fs.readFileSync(hardware));
  mp.FS.writeFile("/machine.py", "from board import *");
  mp.FS.writeFile("/neopixel.py", "from board import NeoPixel");
  for (const [name, text] of flash) {
    if (name.includes("/") && !mp.FS.analyzePath("/firmware").exists) mp.FS.mkdir("/firmware");
    mp.FS.writeFile(`/${name}`, text);
  }
  mp.runPython("import board");
}

function flashed(wiring) {
  if (wiring === undefined) flash.delete("wiring.json");
  else flash.set("wiring.json", wiring);
}

function keep() {
  flash.delete("leave");
  if (mp.FS.analyzePath("/leave").exists) flash.set("leave", "");
}

function step(now_ms, hex) {
  const [said, strip, leave] = board("step")(now_ms, hex).split("|");
  return { said, strip, leave: leave === "1" };
}

function drive() {
  const began = performance.now();
  timer = setInterval(() => {
    const hex = arrived.toString("hex");
    arrived = Buffer.alloc(0);
    const { said, strip, leave } = step(Math.round(performance.now() - began), hex);
    if (said && socket) socket.write(Buffer.from(said, "hex"));
    if (strip && strip !== last) say({ strip: (last = strip) });
    if (leave) prompt();
  }, STEP_MS);
}

// The REPL behind the port, as after a start without main.py; mpremote speaks to it.
async function prompt() {
  clearInterval(timer);
  socket?.destroy();
  let typed = "", shown = "";
  const print = (bytes) => (shown += Buffer.from(bytes).toString("latin1"));
  await start({ stdout: print, linebuffer: false });
  solder();
  mp.replInit();
  timer = setInterval(() => {
    const bytes = arrived;
    arrived = Buffer.alloc(0);
    for (const byte of bytes) {
      typed = (typed + String.fromCharCode(byte)).slice(-3);
      if (typed === "\x05A\x01") print("R\x00"); // No raw paste: this REPL is given its characters one by one.
      if (byte !== 5 && !(typed === "\x05A\x01" || typed.endsWith("\x05A"))) mp.replProcessChar(byte);
    }
    // A browser's numbers of errors are not a Pico's: 44 is "no such file".
    socket?.write(shown.replace("OSError: 44", "OSError: 2"), "latin1");
    shown = "";
    if (bytes.length && board("was_reset")()) restart();
  }, STEP_MS);
}

// What was copied is on the flash; it runs, as main.py does.
async function restart() {
  clearInterval(timer);
  socket?.destroy();
  flash.clear();
  for (const folder of ["/", "/firmware/"])
    for (const name of mp.FS.readdir(folder))
      if (/^(firmware\/\w+\.py|main\.py|wiring\.json)$/.test(folder.slice(1) + name))
        flash.set(folder.slice(1) + name, mp.FS.readFile(folder + name));
  await start();
  solder();
  board("boot")(1);
  drive();
}

async function listen() {
  server = net.createServer((came) => {
    socket?.destroy();
    socket = came;
    came.setNoDelay(true);
    came.on("data", (data) => (arrived = Buffer.concat([arrived, data])));
    came.on("close", () => (socket = socket === came ? null : socket));
    came.on("error", () => came.destroy());
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return { port: server.address().port };
}

const does = {
  async boot({ wiring, cause = 1 }) {
    unplug();
    flashed(wiring);
    await power();
    board("boot")(cause);
    return {};
  },
  async run({ wiring, cause = 1, arrived = "" }) {
    unplug();
    flashed(wiring);
    await power();
    const told = board("run")(cause, arrived).split("|");
    keep();
    return { told };
  },
  step: ({ now_ms, arrived }) => step(now_ms, arrived),
  call: ({ name }) => ({ said: board(name)() }),
  async python({ code }) {
    if (!mp) await power();
    printed = [];
    mp.runPython(code);
    return { printed };
  },
  live() {
    drive();
    return listen();
  },
  async repl() {
    unplug();
    flash.clear();
    await prompt();
    return listen();
  },
  files: () => Object.fromEntries([...flash].map(([name, text]) => [name, Buffer.from(text).toString("hex")])),
};

for await (const line of readline.createInterface({ input: process.stdin })) {
  const { op, ...given } = JSON.parse(line);
  try {
    say({ done: await does[op](given) });
  } catch (error) {
    say({ error: String(error) });
  }
}
process.exit(0);
