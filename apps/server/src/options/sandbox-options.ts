import type { Sandbox } from "@nereid/inference-worker";
import { bad, type GivenFlags } from "./given-flags.ts";

const MOST_ID = 2 ** 32 - 2;

/** What runners are kept from. INVALID_ARGUMENT naming the option. */
export function parseSandboxOptions(given: GivenFlags): Sandbox {
  return { user: userOf(given.text("runner-user")), network: networkOf(given.text("runner-network")) };
}

function userOf(text: string | undefined): Sandbox["user"] {
  if (text === undefined) return undefined;
  const [, uid, gid = uid] = /^(\d{1,10})(?::(\d{1,10}))?$/.exec(text) ?? [];
  const ids = { uid: Number(uid), gid: Number(gid) };
  if (uid === undefined || ids.uid > MOST_ID || ids.gid > MOST_ID)
    throw bad("runner-user", `expected a user id or user:group in numbers, such as 65534:65534, got "${text}"`);
  if (ids.uid === 0) throw bad("runner-user", "is root, who is kept from nothing");
  return ids;
}

function networkOf(text: string | undefined): Sandbox["network"] {
  const network = (text ?? "shared").toLowerCase();
  if (network === "shared" || network === "none") return network;
  throw bad("runner-network", `expected shared or none, got "${text}"`);
}
