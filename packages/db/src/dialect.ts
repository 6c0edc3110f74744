export type Dialect = "sqlite" | "postgresql";

/** Which database a DATABASE_URL means: `postgresql://…` and `postgres://…` or a `file:…` of SQLite. */
export function dialectOf(url: string): Dialect {
  if (/^postgres(ql)?:\/\//.test(url)) return "postgresql";
  if (url.startsWith("file:")) return "sqlite";
  throw new Error("DATABASE_URL must start with file: or postgresql://");
}

/** Path of the file behind a SQLite URL. */
export function sqlitePath(url: string): string {
  return url.slice("file:".length).replace(/\?.*$/, "");
}
