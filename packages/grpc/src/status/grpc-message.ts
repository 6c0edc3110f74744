/** Clients limit the size of trailers, often to 8 KiB; a text that does not fit would hide the status too. */
const MOST_BYTES = 4096;
const ELLIPSIS = "...";
const PLAIN = /^[ -$&-~]*$/;

/** A status text as the value of the trailer `grpc-message`: percent-encoded UTF-8, cut where it is too long. */
export function encodeGrpcMessage(text: string): string {
  if (text.length <= MOST_BYTES && PLAIN.test(text)) return text;
  let encoded = "";
  for (const character of text) {
    const part = PLAIN.test(character) ? character : percentEncode(character);
    if (encoded.length + part.length > MOST_BYTES - ELLIPSIS.length) return encoded + ELLIPSIS;
    encoded += part;
  }
  return encoded;
}

/** The text of a `grpc-message`; what is not properly encoded stays as it is. */
export function decodeGrpcMessage(value: string): string {
  if (!value.includes("%")) return value;
  const bytes: number[] = [];
  for (let at = 0; at < value.length; at += 1) {
    const hex = value[at] === "%" ? /^[0-9a-fA-F]{2}/.exec(value.slice(at + 1, at + 3))?.[0] : undefined;
    if (hex === undefined) bytes.push(...Buffer.from(value[at] ?? ""));
    else {
      bytes.push(Number.parseInt(hex, 16));
      at += 2;
    }
  }
  return Buffer.from(bytes).toString("utf8");
}

function percentEncode(character: string): string {
  let encoded = "";
  for (const byte of Buffer.from(character)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  return encoded;
}
