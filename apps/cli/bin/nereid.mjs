#!/usr/bin/env node
// The command as npm links it; the program itself is built by `npm start` or `npm run build`.
import { existsSync } from "node:fs";

const program = new URL("../dist/nereid.js", import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  console.error("nereid: not built yet; run 'npm start' once, or 'npm run build'");
  process.exitCode = 1;
}
