import { createDatabase } from "@nereid/db";
import { recordAudit } from "../audit/record-audit.ts";
import { systemClock } from "../clock.ts";

/** A process of its own that writes so many audit rows: `write-audit-rows <database url> <count>`. */
const [url = "", count = "0"] = process.argv.slice(2);
const db = createDatabase(url);
const actor = { id: null, name: `process ${process.pid}` };
const ctx = { db, clock: systemClock, requestId: "r", actor };
const target = { action: "model.load", targetType: "model", outcome: "succeeded" } as const;
await Promise.all(
  Array.from({ length: Number(count) }, (_, i) => recordAudit({ ctx, input: { ...target, targetId: `p${i}` } })),
);
await db.$disconnect();
process.exit(0);
