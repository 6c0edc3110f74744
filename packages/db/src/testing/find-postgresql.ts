import pg from "pg";
import { TEST_PG_URL } from "./env.ts";
import { startPostgresql } from "./start-postgresql.ts";

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
  try {
    await client.connect();
    await client.query("SELECT 1");
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * A PostgreSQL on which test databases may be created. TEST_PG_URL must answer when it is set; otherwise the tests start one of
 * their own, of the system's binaries or of those that npm has. A server that happens to run is left alone.
 */
export async function findPostgresql(): Promise<string | undefined> {
  if (TEST_PG_URL !== undefined) {
    if (!(await answers(TEST_PG_URL))) throw new Error("TEST_PG_URL is set and does not answer");
    return TEST_PG_URL;
  }
  return startPostgresql(answers);
}
