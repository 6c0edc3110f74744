/** PostgreSQL for the suites that run on both dialects, e.g. postgresql://postgres@127.0.0.1:5432/postgres. */
export const TEST_PG_URL: string | undefined = process.env["TEST_PG_URL"] || undefined;
