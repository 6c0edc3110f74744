// A runner that answers the first execution with the messages of its first argument: JSON, "$place" stands for the arena or the
// last room granted.
import { connect } from "node:net";

const script = JSON.parse(process.argv[2] ?? "[]");

function open(hello, receive) {
  const socket = connect(process.env.NEREID_RUNNER_SOCKET);
  const send = (message) => {
    const body = Buffer.from(JSON.stringify(message));
    const header = Buffer.alloc(4);
    header.writeUInt32LE(body.length);
    socket.write(Buffer.concat([header, body]));
  };
  let buffered = Buffer.alloc(0);
  socket.on("data", (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    while (buffered.length >= 4 && buffered.length >= 4 + buffered.readUInt32LE(0)) {
      const end = 4 + buffered.readUInt32LE(0);
      receive(JSON.parse(buffered.subarray(4, end).toString()), send);
      buffered = buffered.subarray(end);
    }
  });
  socket.on("close", () => process.exit());
  send(hello);
}

/** Sends until a message asks for room, and goes on when that is answered. */
function answer(id, place, send) {
  while (script.length > 0) {
    const message = script.shift();
    if (message === null) return send(null);
    const outputs = message.outputs?.map?.((output) => ({
      ...place,
      ...output,
      offset: place.offset + (output.skip ?? 0),
    }));
    send({ id, ...message, ...(outputs && { outputs }) });
    if (message.type === "room") return;
  }
}

let executing = 0;
open({ type: "hello", role: "control", protocol: 1, pid: process.pid }, (request, send) => {
  if (request.type === "load") {
    open({ type: "hello", role: "instance", protocol: 1, index: 0 }, (message, reply) => {
      if (message.type === "execute-requests") executing = message.id;
      if (["execute-requests", "place", "drop"].includes(message.type)) answer(executing, message.arena, reply);
    });
    send({ type: "loaded", inputs: [], outputs: [], execution: "requests" });
  }
  if (request.type === "start-instances") send({ type: "started", count: 1 });
  if (request.type === "ping") send({ type: "pong", sequence: request.sequence });
});
