import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { clientAddress, stampClientAddress } from "./client-address.ts";

it.each([
  ["1.2.3.4", "127.0.0.1", false, "127.0.0.1"],
  [undefined, "127.0.0.1", true, "127.0.0.1"],
  ["6.6.6.6, 1.2.3.4", "127.0.0.1", true, "1.2.3.4"],
  ["", "127.0.0.1", true, "127.0.0.1"],
])("of %j from %s, trusted: %s, is %s", (forwarded, remote, trustProxy, expected) => {
  expect(clientAddress(forwarded, remote, trustProxy)).toBe(expected);
});

it("what a client says of its address is replaced before a handler sees it (the limit of sign-ins believed it)", async () => {
  stampClientAddress({ trustProxy: false });
  const server = createServer((request, response) => response.end(String(request.headers["x-forwarded-for"])));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  // A listening TCP server has an address.
  const { port } = server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}`, { headers: { "x-forwarded-for": "6.6.6.6" } });
  expect(await answer.text()).toBe("127.0.0.1");
  server.close();
});
