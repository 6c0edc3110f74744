import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { NereidError } from "@nereid/errors";
import { isPublicAddress } from "./public-address.ts";

export interface ReceiverOptions {
  /** Addresses inside may be reached too: for receivers in one's own network. */
  readonly allowInside: boolean;
  /** Milliseconds until a name must be resolved; default 10 000. */
  readonly timeoutMs?: number;
  readonly resolve?: (host: string) => Promise<readonly string[]>;
}

const resolveAll = async (host: string) => (await lookup(host, { all: true })).map(({ address }) => address);

/**
 * The address that messages for this web hook go to, checked: the same when a receiver is saved as when it is sent to. INVALID_ARGUMENT for
 * another protocol, UNAVAILABLE for a name that cannot be resolved, FORBIDDEN where one of its addresses lies inside.
 */
export async function findReceiver(url: URL, options: ReceiverOptions): Promise<string> {
  const { allowInside, timeoutMs = 10_000, resolve = resolveAll } = options;
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new NereidError("INVALID_ARGUMENT", `messages cannot be sent over ${url.protocol}`, {
      fix: "use http or https",
    });
  }
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) === 0 ? await inTime(resolve(host), timeoutMs) : [host];
  const [address] = addresses;
  if (address === undefined) throw new NereidError("UNAVAILABLE", `the name ${host} cannot be resolved`);
  if (!allowInside && !addresses.every(isPublicAddress)) {
    throw new NereidError("FORBIDDEN", `${host} is an address inside (${address}), which messages are not sent to`, {
      fix: "set NEREID_ALERTS_ALLOW_PRIVATE=1 for receivers in your own network",
    });
  }
  return address;
}

/** None when the name has no address, or nobody says in time: a look-up cannot be broken off. */
function inTime(found: Promise<readonly string[]>, ms: number): Promise<readonly string[]> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve([]), ms);
    found.then(resolve, () => resolve([])).finally(() => clearTimeout(timer));
  });
}
