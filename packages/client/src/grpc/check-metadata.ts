import { NereidError } from "@nereid/errors";

/** What the wire allows: pseudo headers are not for callers. */
const NAME = /^[0-9a-z_.-]+$/i;
const VALUE = /^[ -~]*$/;

/** INVALID_ARGUMENT for metadata that cannot be sent as it is: names are header names, values printable ASCII. */
export function checkMetadata(metadata: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(metadata)) {
    if (!NAME.test(name)) throw new NereidError("INVALID_ARGUMENT", `'${name}' cannot be the name of metadata`);
    if (!VALUE.test(value)) {
      throw new NereidError("INVALID_ARGUMENT", `the value of metadata '${name}' is not printable ASCII`, {
        fix: "send other values in base64, under a name that ends with -bin",
      });
    }
  }
}
