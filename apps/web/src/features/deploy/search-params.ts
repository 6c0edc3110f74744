import { parseAsString } from "nuqs/server";

/** Which draft the page shows. */
export const deployParams = { draft: parseAsString };
