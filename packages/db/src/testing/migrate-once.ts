import { applyMigrations } from "../migrate/apply-migrations.ts";

/** A process of its own that migrates: `migrate-once <database url> <folder called prisma>`. */
const [url = "", prismaDirectory = ""] = process.argv.slice(2);
await applyMigrations({ url, prismaDirectory });
process.exit(0);
