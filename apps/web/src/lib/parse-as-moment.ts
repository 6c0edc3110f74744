import { createParser } from "nuqs/server";

/** Of the year 9999; dates end not much later. */
const LAST_SECOND = 253_402_300_799;

/** Unix seconds in an address, also parts of them; what no clock shows counts as not there. */
export const parseAsMoment = createParser({
  parse: (text) => {
    const seconds = text.trim() === "" ? Number.NaN : Number(text);
    return seconds >= 0 && seconds <= LAST_SECOND ? seconds : null;
  },
  serialize: String,
});
