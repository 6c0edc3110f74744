import { join, resolve } from "node:path";
import { z } from "zod";

/** Optional text; an empty variable counts as unset. */
const text = z
  .string()
  .optional()
  .transform((value) => (value === "" ? undefined : value));

const schema = z.object({
  NEREID_SERVER_URL: z.url({ protocol: /^https?$/ }).default("http://127.0.0.1:8000"),
  NEREID_SERVER_KEY: text,
  NEREID_STATE_DIR: text,
  NEREID_SETUP_TOKEN_FILE: text,
  NEREID_MIGRATIONS_DIR: text,
  NEREID_PUBLIC_URL: text.pipe(z.url({ protocol: /^https?$/ }).optional()),
  NEREID_ADMIN_EMAIL: text,
  NEREID_ADMIN_PASSWORD: text,
  DATABASE_URL: text,
  NEREID_EXIT_WITH_PARENT: text,
  NEREID_TRUST_PROXY: text,
  NEREID_ALERTS_ALLOW_PRIVATE: text,
  NEREID_LAB: text,
  NEREID_PROMETHEUS_URL: text.pipe(z.url({ protocol: /^https?$/ }).optional()),
});

export interface WebEnv {
  /** V2 HTTP port of the data plane. */
  readonly serverUrl: string;
  readonly serverKey: string | undefined;
  readonly stateDir: string;
  readonly setupTokenFile: string;
  /** Folder with sqlite/migrations and postgresql/migrations; found by itself when it is not set. */
  readonly migrationsDir: string | undefined;
  /** Address under which browsers reach the dashboard, when it is not the one they ask for. */
  readonly publicUrl: string | undefined;
  readonly databaseUrl: string;
  readonly firstAdmin: { readonly email: string; readonly password: string } | undefined;
  /** End when standard input ends: it is a pipe from the launcher, which is then gone. */
  readonly exitWithParent: boolean;
  /** A proxy before this process sets X-Forwarded-For; otherwise the header is not believed. */
  readonly trustProxy: boolean;
  /** Alerts may be sent to receivers in private networks and on this machine. */
  readonly alertsAllowPrivate: boolean;
  /** Where history is read instead of being recorded. */
  readonly prometheusUrl: string | undefined;
  /** The built program that does the tasks of the lab. */
  readonly lab: string | undefined;
  /** What that program gets to see of the environment: none of our settings and secrets. */
  readonly labEnvironment: Readonly<Record<string, string | undefined>>;
  /** The folder of apps/web, also when running from its standalone copy. */
  readonly appDir: string;
}

/** What any program needs to find its way. */
const PASSED_ON = ["PATH", "HOME", "TMPDIR", "LANG", "TZ", "NODE_EXTRA_CA_CERTS"] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** Reads the settings of the web process; throws one readable sentence per mistake. */
export function readEnv(variables: Variables, workingDir: string): WebEnv {
  const result = schema.safeParse(variables);
  if (!result.success) throw new Error(`bad environment:\n${z.prettifyError(result.error)}`);
  const env = result.data;
  if ((env.NEREID_ADMIN_EMAIL === undefined) !== (env.NEREID_ADMIN_PASSWORD === undefined)) {
    throw new Error("bad environment: set NEREID_ADMIN_EMAIL and NEREID_ADMIN_PASSWORD together");
  }
  const appDir = workingDir.split("/.next/standalone/")[0] ?? workingDir;
  const stateDir = resolve(workingDir, env.NEREID_STATE_DIR ?? join(appDir, "../../state"));
  return {
    serverUrl: env.NEREID_SERVER_URL,
    serverKey: env.NEREID_SERVER_KEY,
    stateDir,
    setupTokenFile: env.NEREID_SETUP_TOKEN_FILE ?? join(stateDir, "setup-token"),
    migrationsDir: env.NEREID_MIGRATIONS_DIR,
    publicUrl: env.NEREID_PUBLIC_URL,
    databaseUrl: env.DATABASE_URL ?? `file:${join(stateDir, "nereid.db")}`,
    firstAdmin:
      env.NEREID_ADMIN_EMAIL === undefined || env.NEREID_ADMIN_PASSWORD === undefined
        ? undefined
        : { email: env.NEREID_ADMIN_EMAIL, password: env.NEREID_ADMIN_PASSWORD },
    exitWithParent: env.NEREID_EXIT_WITH_PARENT === "1",
    trustProxy: env.NEREID_TRUST_PROXY === "1",
    alertsAllowPrivate: env.NEREID_ALERTS_ALLOW_PRIVATE === "1",
    prometheusUrl: env.NEREID_PROMETHEUS_URL,
    lab: env.NEREID_LAB,
    labEnvironment: Object.fromEntries(PASSED_ON.map((name) => [name, variables[name]])),
    appDir,
  };
}

/** The settings of this process. */
export function processEnv(): WebEnv {
  return readEnv(process.env, process.cwd());
}

export const isDevelopment = process.env.NODE_ENV === "development";
