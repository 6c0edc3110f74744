import { parseAsString, parseAsStringLiteral } from "nuqs";

export const VIEWS = ["text", "form"] as const;

/** How the page looks at a configuration: as text or form, and which two entries of the history are compared. */
export const configSearchParams = {
  view: parseAsStringLiteral(VIEWS).withDefault("text"),
  from: parseAsString,
  to: parseAsString,
};
