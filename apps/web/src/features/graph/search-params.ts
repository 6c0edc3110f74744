import { parseAsString } from "nuqs";

/** Which version's graph is shown; the newest without one. */
export const graphSearchParams = { version: parseAsString };
