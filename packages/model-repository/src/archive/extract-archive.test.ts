import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { NereidError } from "@nereid/errors";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { archiveVersion } from "../files/archive-version.ts";
import { filesBelow } from "../files/describe-version.ts";
import { makeTar } from "../testing/make-tar.ts";
import { makeZip, type ZipEntry } from "../testing/make-zip.ts";
import { extractArchive } from "./extract-archive.ts";
import type { ExtractionLimits } from "./extraction-budget.ts";

let scratch: string;

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), "nereid-archive-"));
});

afterEach(async () => {
  await rm(scratch, { recursive: true, force: true });
});

async function unpack(bytes: Uint8Array, limits?: ExtractionLimits): Promise<string[]> {
  await writeFile(join(scratch, "upload"), bytes);
  return (await extractArchive(join(scratch, "upload"), join(scratch, "out"), limits)).sort();
}

/** Refused with the code and the text, and nothing is left. */
async function refused(
  bytes: Uint8Array,
  text: RegExp,
  code = "INVALID_ARGUMENT",
  limits?: ExtractionLimits,
): Promise<void> {
  const error: unknown = await unpack(bytes, limits).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(NereidError);
  expect(error).toMatchObject({ code, message: expect.stringMatching(text) });
  expect(await readdir(scratch)).toEqual(["upload"]);
}

const DATA = Buffer.from("some weights ".repeat(1000));
const FILES: ZipEntry[] = [
  { name: "m/", mode: 0o040755 },
  { name: "m/1/model.onnx", data: DATA, deflate: true },
  { name: "m/config.pbtxt", data: Buffer.from("x") },
  { name: "__MACOSX/m/._model.onnx", data: DATA },
  { name: "m/.DS_Store", data: DATA },
];
const tarFiles = () =>
  makeTar([
    { name: "m/", type: "directory" },
    { name: "m/1/model.onnx", data: DATA },
    { name: `m/1/${"long-".repeat(40)}.bin`, data: "x" },
    { name: "m/.DS_Store", data: "x" },
  ]);

describe("extractArchive()", () => {
  it("unpacks a zip without what packers add", async () => {
    expect(await unpack(makeZip(FILES))).toEqual(["m/1/model.onnx", "m/config.pbtxt"]);
    expect(await readFile(join(scratch, "out/m/1/model.onnx"))).toEqual(DATA);
  });

  it.each(["tar", "tar.gz"])("unpacks a %s, with long names", async (kind) => {
    const tar = await tarFiles();
    expect(await unpack(kind === "tar" ? tar : gzipSync(tar))).toEqual(
      [`m/1/${"long-".repeat(40)}.bin`, "m/1/model.onnx"].sort(),
    );
    expect(await readFile(join(scratch, "out/m/1/model.onnx"))).toEqual(DATA);
  });

  it("unpacks what archiveVersion() packs", async () => {
    await unpack(makeZip(FILES));
    const chunks: Buffer[] = [];
    for await (const chunk of archiveVersion(join(scratch, "out/m/1"), "m/1")) chunks.push(chunk);
    await rm(join(scratch, "out"), { recursive: true });
    expect(await unpack(Buffer.concat(chunks))).toEqual(["m/1/model.onnx"]);
    expect(await filesBelow(join(scratch, "out"))).toEqual(["m/1/model.onnx"]);
  });

  it.each([
    ["../evil", /leaves the directory/],
    ["a/../../evil", /leaves the directory/],
    ["/etc/passwd", /absolute/],
    ["C:/evil", /drive letter/],
    ["a\\evil", /backslash/],
    ["a\0b", /NUL/],
    ["a\nb", /control character/],
    [`${"x".repeat(256)}`, /more than 255 bytes/],
    ["a/".repeat(17), /deeper than 16/],
  ])("refuses the name %j", async (name, text) => {
    await refused(makeZip([{ name: "ok", data: DATA }, { name }]), text);
  });

  it.each([
    ["../evil", /leaves the directory/],
    ["a\\evil", /backslash/],
    ["/etc/passwd", /absolute/],
  ])("refuses the name %j in a tar", async (name, text) => {
    await refused(
      await makeTar([
        { name: "ok", data: "ok" },
        { name, data: "x" },
      ]),
      text,
    );
  });

  it("refuses what is there twice, or differs in case only", async () => {
    await refused(makeZip([{ name: "a" }, { name: "a" }]), /there twice/);
    await refused(makeZip([{ name: "a/b" }, { name: "A/c" }]), /case or accents/);
    await refused(makeZip([{ name: "a" }, { name: "a/b" }]), /both a file and a directory/);
    await refused(await makeTar([{ name: "a" }, { name: "A" }]), /case or accents/);
  });

  it("refuses links and special files", async () => {
    await refused(makeZip([{ name: "l", mode: 0o120777, data: Buffer.from("/etc/passwd") }]), /link or a special file/);
    for (const type of ["symlink", "link", "fifo", "character-device", "block-device"] as const)
      await refused(await makeTar([{ name: "l", type, linkname: "/etc/passwd" }]), new RegExp(`is a ${type}`));
  });

  it("refuses encrypted, damaged and lying zips", async () => {
    await refused(makeZip([{ name: "a", data: DATA, flags: 0x801, deflate: true }]), /encrypted/);
    await refused(makeZip([{ name: "a", data: DATA, crc: 1 }]), /checksum/);
    await refused(makeZip([{ name: "a", data: DATA, deflate: true, size: 10 }]), /damaged/);
    await refused(makeZip([{ name: "a", data: DATA, deflate: true, size: 1 << 20 }]), /damaged/);
  });

  it("refuses too many entries and too many bytes", async () => {
    const many = Array.from({ length: 11 }, (_, index) => ({ name: `f${index}` }));
    await refused(makeZip(many), /11 entries, at most 10/, "INVALID_ARGUMENT", { mostEntries: 10 });
    await refused(await makeTar(many), /11 entries, at most 10/, "INVALID_ARGUMENT", { mostEntries: 10 });
    await refused(makeZip(FILES), /unpacks to more than 100 bytes/, "PAYLOAD_TOO_LARGE", { mostBytes: 100 });
    await refused(gzipSync(await tarFiles()), /unpacks to more than 100/, "PAYLOAD_TOO_LARGE", { mostBytes: 100 });
  });

  it("refuses bombs", async () => {
    const zeros = Buffer.alloc(100 << 20);
    await refused(makeZip([{ name: "a", data: zeros, deflate: true }]), /1000 times/);
    await refused(gzipSync(await makeTar([{ name: "a", data: zeros }])), /1000 times/);
  });

  it("refuses archives that were cut anywhere", async () => {
    const tar = await tarFiles();
    const zip = makeZip(FILES);
    const gz = gzipSync(tar);
    for (const part of [0.3, 0.5, 0.9]) {
      await refused(zip.subarray(0, Math.floor(zip.length * part)), /damaged or truncated/);
      await refused(gz.subarray(0, Math.floor(gz.length * part)), /truncated|damaged/);
      await refused(tar.subarray(0, Math.floor(tar.length * part)), /truncated|damaged|ends after/);
    }
    await refused(tar.subarray(0, tar.length - 1024), /end mark is missing/);
    await refused(Buffer.from("no archive"), /no archive/);
  });

  it("refuses or unpacks any mutation, and leaves nothing else behind", async () => {
    const seeds = [makeZip(FILES), await tarFiles(), gzipSync(await tarFiles())];
    const change = fc.tuple(fc.nat(2), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 8 }));
    await fc.assert(
      fc.asyncProperty(change, async ([seed, changes]) => {
        const bytes = Buffer.from(seeds[seed] ?? "");
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        const outcome: unknown = await unpack(bytes).catch((error: unknown) => error);
        if (!Array.isArray(outcome)) expect(outcome).toBeInstanceOf(NereidError);
        await rm(join(scratch, "out"), { recursive: true, force: true });
        expect(await readdir(scratch)).toEqual(["upload"]);
      }),
      { numRuns: 300 },
    );
  });
});
