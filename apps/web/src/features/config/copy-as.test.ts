import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { copyApply } from "./copy-as.ts";

const TEXT = `name: "it's"\n# $HOME \`id\` "x"\n`;
const call = { origin: "http://127.0.0.1:3000", model: "a b", text: TEXT, ifDigest: "0a", reason: "it's time" };

describe("copyApply", () => {
  it("quotes for the shell, so that nothing of the text is run", () => {
    const { curl } = copyApply(call);
    const script = curl.replace("curl --fail-with-body", "printf '%s\\0'");
    const words = execFileSync("sh", ["-c", script], { env: { ...process.env, NEREID_API_KEY: "k" } })
      .toString()
      .split("\0");
    expect(words[2]).toBe("http://127.0.0.1:3000/api/v1/models/a%20b/config");
    expect(words[4]).toBe("authorization: Bearer k");
    expect(JSON.parse(words[8] ?? "")).toEqual({ text: TEXT, ifDigest: "0a", reason: "it's time" });
  });

  it("leaves an empty reason out, and never holds a key", () => {
    const texts = copyApply({ ...call, reason: "" });
    expect(texts.typescript).not.toContain("reason");
    for (const text of Object.values(texts)) expect(text).toContain("NEREID_API_KEY");
  });
});
