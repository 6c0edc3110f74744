import { NereidError } from "@nereid/errors";

/** Which dashboard a command talks to, and by which right. */
export interface Dashboard {
  readonly url: string;
  readonly key: string;
}

interface Given {
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

/** Options go before the environment. UNAUTHENTICATED without a key. Pure. */
export function dashboardOf({ url, key }: Given, env: Readonly<Record<string, string | undefined>>): Dashboard {
  const known = key ?? env["NEREID_API_KEY"];
  if (known === undefined || known === "") {
    throw new NereidError("UNAUTHENTICATED", "an API key is needed", {
      fix: "make one in the dashboard under Settings, API keys; then set NEREID_API_KEY or give --key",
    });
  }
  return { url: url ?? env["NEREID_URL"] ?? "http://127.0.0.1:3000", key: known };
}
