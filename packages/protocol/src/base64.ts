/** Bytes of base64 with its padding; undefined when the text is no base64, which a Buffer would read up to the first wrong character. */
export function decodeBase64(text: string): Buffer<ArrayBuffer> | undefined {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text) ? Buffer.from(text, "base64") : undefined;
}
