import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import pg from "pg";
import { createDatabase, type Database } from "../create-database.ts";
import type { Dialect } from "../dialect.ts";
import { applyMigrations } from "../migrate/apply-migrations.ts";
import { findPostgresql } from "./find-postgresql.ts";

export const PRISMA_DIRECTORY = resolve(import.meta.dirname, "../../../../prisma");

export interface TestUrl {
  readonly url: string;
  drop(): Promise<void>;
}

export interface TestDatabase extends TestUrl {
  readonly db: Database;
}

export interface TestDialect {
  readonly dialect: Dialect;
  /** A fresh, empty database. */
  createUrl(): Promise<TestUrl>;
}

const sqlite: TestDialect = {
  dialect: "sqlite",
  createUrl: async () => {
    const directory = await mkdtemp(join(tmpdir(), "nereid-db-"));
    return {
      url: `file:${join(directory, "test.db")}`,
      drop: () => rm(directory, { recursive: true, force: true }),
    };
  },
};

async function administer(adminUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

const postgresql = (adminUrl: string): TestDialect => ({
  dialect: "postgresql",
  createUrl: async () => {
    const name = `nereid_test_${randomBytes(6).toString("hex")}`;
    await administer(adminUrl, `CREATE DATABASE ${name}`);
    const url = new URL(adminUrl);
    url.pathname = `/${name}`;
    return { url: url.href, drop: () => administer(adminUrl, `DROP DATABASE ${name} WITH (FORCE)`) };
  },
});

/** The dialects a suite runs on: SQLite always, PostgreSQL where one answers or can be started; says so when it is left out. */
export async function testDialects(): Promise<TestDialect[]> {
  const adminUrl = await findPostgresql();
  if (adminUrl === undefined) {
    process.stderr.write(
      "PostgreSQL is not tested: set TEST_PG_URL, start one on 127.0.0.1:5432, or install the server\n",
    );
    return [sqlite];
  }
  return [sqlite, postgresql(adminUrl)];
}

/** A fresh, migrated database with a client; `drop()` closes and removes it. */
export async function createTestDatabase(dialect: TestDialect = sqlite): Promise<TestDatabase> {
  const { url, drop } = await dialect.createUrl();
  await applyMigrations({ url, prismaDirectory: PRISMA_DIRECTORY });
  const db = createDatabase(url);
  return {
    url,
    db,
    drop: async () => {
      await db.$disconnect();
      await drop();
    },
  };
}
