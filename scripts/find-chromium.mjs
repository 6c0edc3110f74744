// A Chromium for the browser tests: one that is there, else one installed by Playwright, else, as root on Debian, by apt.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { bin, root } from "./lib.mjs";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** Path of a Chromium that starts, or undefined; says on the console where it came from. */
export function findChromium() {
  const fromEnv = process.env.CHROMIUM_PATH;
  const there = [fromEnv, ...PLACES, chromium.executablePath()].find(
    (path) => path !== undefined && path !== "" && existsSync(path),
  );
  if (there !== undefined) return tell(there, "found");
  if (attempt(bin("playwright"), ["install", "chromium"]) && existsSync(chromium.executablePath()))
    return tell(chromium.executablePath(), "installed by Playwright");
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    attempt("apt-get", ["update"]);
    if (attempt("apt-get", ["install", "-y", "--no-install-recommends", "chromium"]) && existsSync(PLACES[0]))
      return tell(PLACES[0], "installed by apt");
  }
  return undefined;
}

function attempt(command, args) {
  console.log(`browser: trying ${command} ${args.join(" ")}`);
  return spawnSync(command, args, { cwd: root, stdio: ["ignore", "ignore", "inherit"], timeout: 300_000 }).status === 0;
}

function tell(path, how) {
  console.log(`browser: ${path} (${how})`);
  return path;
}
