import { defineConfig } from "vitest/config";

const shared = { pool: "forks" as const, testTimeout: 20_000, hookTimeout: 60_000 };
const ignored = ["**/node_modules/**", "**/dist/**", "**/.next/**", "e2e/**"];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: "unit",
          include: ["{apps,packages,scripts,docs}/**/*.test.{ts,tsx,mjs}"],
          exclude: [...ignored, "**/*.int.test.ts"],
          // The default leaves a processor free, which is half of a small machine.
          maxWorkers: "100%",
          // Reading the sources anew for each file took more than a third of the time. No test here changes what others of its process see.
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: "integration",
          include: ["{apps,packages,scripts}/**/*.int.test.ts"],
          exclude: ignored,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          isolate: false,
          // They wait for time-outs and processes half of the time: it takes three at once to keep two cores busy. Each has its own ports, directories and
          // shared memory.
          maxWorkers: 3,
          // A second try tells a machine that was slow for a moment from a defect; the report says "retry x1" of those that needed it.
          retry: 1,
        },
      },
    ],
  },
});
