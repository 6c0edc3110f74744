import { resolve } from "node:path";
import type { NextConfig } from "next";

const repositoryRoot = resolve(import.meta.dirname, "../..");

/** Headers that do not depend on the request; the content security policy, which has a nonce, comes from proxy.ts. */
const HEADERS = [
  { key: "X-Content-Type-Options", value: "nosniff" },
  { key: "X-Frame-Options", value: "DENY" },
  { key: "Referrer-Policy", value: "same-origin" },
  { key: "Permissions-Policy", value: "camera=(), microphone=(), geolocation=(), browsing-topics=()" },
  { key: "Cross-Origin-Opener-Policy", value: "same-origin" },
];

const config: NextConfig = {
  output: "standalone",
  outputFileTracingRoot: repositoryRoot,
  turbopack: { root: repositoryRoot },
  serverExternalPackages: [
    "@prisma/client",
    "@prisma/adapter-libsql",
    "@prisma/adapter-pg",
    "@libsql/client",
    "libsql",
    "pg",
  ],
  transpilePackages: [
    "@nereid/api",
    "@nereid/client",
    "@nereid/db",
    "@nereid/errors",
    "@nereid/model-config",
    "@nereid/protocol",
    "@nereid/services",
    "@nereid/telemetry",
    "@nereid/ui",
  ],
  // `npm run typecheck` checks the whole workspace; the build need not do it a second time.
  typescript: { ignoreBuildErrors: true },
  poweredByHeader: false,
  headers: async () => [{ source: "/:path*", headers: HEADERS }],
};

export default config;
