import { describe, expect, it } from "vitest";
import { HpackDecoder } from "./hpack-decoder.ts";
import { decodeHuffman } from "./huffman.ts";

const hex = (text: string) => Buffer.from(text.replaceAll(" ", ""), "hex");

describe("a decoder of header blocks", () => {
  // RFC 7541, C.4 and C.3: the same three requests with and without Huffman's code.
  it.each([
    [
      "Huffman's code",
      "8286 8441 8cf1 e3c2 e5f2 3a6b a0ab 90f4 ff",
      "8286 84be 5886 a8eb 1064 9cbf",
      "8287 85bf 4088 25a8 49e9 5ba9 7d7f 8925 a849 e95b b8e8 b4bf",
    ],
    [
      "plain texts",
      "8286 8441 0f77 7777 2e65 7861 6d70 6c65 2e63 6f6d",
      "8286 84be 5808 6e6f 2d63 6163 6865",
      "8287 85bf 400a 6375 7374 6f6d 2d6b 6579 0c63 7573 746f 6d2d 7661 6c75 65",
    ],
  ])("reads the blocks of a connection in %s, which refer to each other", (_, first, second, third) => {
    const decoder = new HpackDecoder();
    const authority = [":authority", "www.example.com"];
    expect([...decoder.decode(hex(first))]).toEqual([
      [":method", "GET"],
      [":scheme", "http"],
      [":path", "/"],
      authority,
    ]);
    expect([...decoder.decode(hex(second))]).toEqual([
      [":method", "GET"],
      [":scheme", "http"],
      [":path", "/"],
      authority,
      ["cache-control", "no-cache"],
    ]);
    expect([...decoder.decode(hex(third))]).toEqual([
      [":method", "GET"],
      [":scheme", "https"],
      [":path", "/index.html"],
      authority,
      ["custom-key", "custom-value"],
    ]);
  });

  it("forgets what no longer has room, and all of it when the table shrinks", () => {
    const decoder = new HpackDecoder();
    decoder.decode(hex("400161 0162"));
    expect([...decoder.decode(hex("be"))]).toEqual([["a", "b"]]);
    // A table of 40 bytes holds one entry of a name and a value of one byte, which the second then is.
    decoder.decode(hex("3f09 400163 0164"));
    expect([...decoder.decode(hex("be"))]).toEqual([["c", "d"]]);
    expect(() => decoder.decode(hex("bf"))).toThrow("entry 63");
    decoder.decode(hex("20"));
    expect(() => decoder.decode(hex("be"))).toThrow("entry 62");
  });

  it.each([
    ["a field that ends within its name", "4005 61", "ends within a text"],
    ["nothing behind a name", "4001 61", "ends within a field"],
    ["a number without an end", "ff ffff ffff ffff", "too large"],
    ["entry 0", "80", "entry 0"],
    ["a larger table than was offered", "3fe2 1f", "was not offered"],
  ])("refuses %s", (_, block, message) => {
    expect(() => new HpackDecoder().decode(hex(block))).toThrow(message);
  });

  it.each(["ff", "fe", "ffffffff", "00"])("refuses a Huffman string that no encoder writes: %s", (bytes) => {
    expect(() => decodeHuffman(hex(bytes))).toThrow("Huffman string");
  });
});
