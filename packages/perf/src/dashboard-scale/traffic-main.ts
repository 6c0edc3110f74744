/** Sends requests to small nodes: `node scale-traffic.js <interval ms> <url> <model>,<model>… <url> …`. Ends with its standard input. */
import { Agent, request } from "node:http";

const [interval = "1000", ...places] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, maxSockets: 4 });
const BODY = Buffer.from(
  JSON.stringify({
    inputs: [{ name: "INPUT", datatype: "FP32", shape: [16], data: Array.from({ length: 16 }, (_, i) => i / 16) }],
  }),
);

function send(url: string): void {
  const headers = { "content-type": "application/json", "content-length": BODY.byteLength };
  const sent = request(url, { method: "POST", agent, headers }, (response) => response.resume());
  // A node that is being stopped is no news.
  sent.on("error", () => undefined);
  sent.end(BODY);
}

for (let at = 0; at < places.length; at += 2) {
  const models = (places[at + 1] ?? "").split(",");
  for (const [index, model] of models.entries()) {
    const url = `${places[at]}/v2/models/${model}/infer`;
    // Spread over the interval: not every model in the same millisecond.
    const first = (Number(interval) * index) / models.length;
    setTimeout(() => setInterval(send, Number(interval), url), first);
  }
}
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
