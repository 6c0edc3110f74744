import { describe, expect, it } from "vitest";
import { runPerfCli } from "./testing/run-perf-cli.ts";
import { startTextServer } from "./testing/text-server.ts";

describe("nereid perf on generated text", () => {
  it("has times of tokens as the server paced them, and counts what was good", async () => {
    const server = await startTextServer({ pieces: 6, firstMs: 150, gapMs: 30 });
    try {
      const args = ["-m", "llm", "-u", server.url, "--service-kind", "openai", "--streaming", "--request-count", "8"];
      const { code, stdout } = await runPerfCli([...args, "--concurrency-range", "2", "--goodput", "ttft:100"]);
      expect(code).toBe(0);
      const averageOf = (name: string) =>
        Number(
          stdout
            .split("\n")
            .find((line) => line.includes(name))
            ?.split(/ {2,}/)[2],
        );
      // Timers never come early but for the part of a millisecond; how late they come is the machine's business.
      expect(averageOf("Time to first token (ms)")).toBeGreaterThan(148);
      expect(averageOf("Inter token latency (ms)")).toBeGreaterThan(28);
      expect(averageOf("Request latency (ms)")).toBeGreaterThan(295);
      expect(averageOf("Output sequence length (tokens)")).toBe(6);
      expect(averageOf("Request throughput (per sec)")).toBeGreaterThan(0);
      expect(averageOf("Request goodput (per sec)")).toBe(0);
      expect(stdout).not.toContain("Server:");
      expect(server.bodies).toHaveLength(8);
      expect(server.bodies[0]).toMatchObject({ model: "llm", stream: true, messages: [{ role: "user" }] });
    } finally {
      await server.close();
    }
  });

  it("without pieces has no times of tokens, and the tokens that the server tells", async () => {
    const server = await startTextServer({ pieces: 6, firstMs: 0, gapMs: 0 });
    try {
      const args = ["-m", "llm", "-u", server.url, "--service-kind", "openai", "--request-count", "4"];
      const { code, stdout } = await runPerfCli(args);
      expect(code).toBe(0);
      expect(stdout).toMatch(/Output sequence length \(tokens\) +6\.00/);
      expect(stdout).not.toContain("Time to first token");
      const elsewhere = await runPerfCli([...args, "--endpoint", "v1/nothing"]);
      expect([elsewhere.code, elsewhere.stdout]).toEqual([
        99,
        expect.stringContaining("First failure: HTTP status 404"),
      ]);
    } finally {
      await server.close();
    }
  });
});
