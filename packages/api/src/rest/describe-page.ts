import { propertiesOf } from "./json-schema.ts";
import { requiredOf } from "./openapi.ts";
import { inputSchemaOf } from "./read-input.ts";
import { OPERATIONS, parameterOf, type RestOperation } from "./routes.ts";

/** For the page below: no scripts, nothing from elsewhere. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const STYLE = `
:root{color-scheme:light dark;--page:light-dark(oklch(0.965 0.011 215),oklch(0.2 0.032 243));
--card:light-dark(oklch(0.995 0.003 210),oklch(0.24 0.036 240));--line:light-dark(oklch(0.875 0.017 218),oklch(0.315 0.038 235));
--ink:light-dark(oklch(0.25 0.045 245),oklch(0.95 0.014 205));--soft:light-dark(oklch(0.45 0.04 238),oklch(0.75 0.035 218));
--accent:light-dark(oklch(0.49 0.095 205),oklch(0.84 0.125 186))}
body{margin:0;background:var(--page);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.5rem;margin:0 0 .25rem}h2{font-size:1.1rem;margin:2rem 0 .5rem}p{margin:.25rem 0;color:var(--soft)}
a{color:var(--accent)}
details{background:var(--card);border:1px solid var(--line);border-radius:.5rem;margin:.4rem 0;padding:.5rem .75rem}
summary{cursor:pointer}code,pre{font:13px/1.5 ui-monospace,monospace}
summary b{display:inline-block;min-width:4.5rem;color:var(--accent)}
pre{overflow-x:auto;border-top:1px solid var(--line);margin:.5rem 0 0;padding-top:.5rem}
`;

/** The operations as a page for people, with a curl line for each. `origin` is where the caller reached us. */
export function describePage(origin: string): string {
  const groups = new Map<string, RestOperation[]>();
  for (const operation of OPERATIONS) {
    const [group = ""] = operation.name.split(".");
    groups.set(group, [...(groups.get(group) ?? []), operation]);
  }
  const sections = [...groups].map(
    ([group, operations]) =>
      `<h2>${escapeHtml(group)}</h2>${operations.map((operation) => describe(operation, origin)).join("")}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1"><title>Management API · Nereid</title>
<style>${STYLE}</style></head><body><main><h1>Management API</h1>
<p>Everything the dashboard does, over HTTP. Make a key on the dashboard's page for keys and send it as
<code>Authorization: Bearer nrd_…</code>. Failures are <code>application/problem+json</code>.</p>
<p><a href="/api/v1/openapi.json">OpenAPI document</a> · <a href="/">Dashboard</a></p>
${sections.join("\n")}</main></body></html>`;
}

function describe(operation: RestOperation, origin: string): string {
  const { method, path, summary, permission } = operation.route;
  const needs = permission === "public" ? "no session" : permission === "session" ? "a session or a key" : permission;
  return `<details><summary><b>${method}</b> <code>${escapeHtml(path)}</code> – ${escapeHtml(summary)}</summary>
<p>Needs ${escapeHtml(needs)}.</p><pre>${escapeHtml(curlOf(operation, origin))}</pre></details>`;
}

/** A line for a shell; what stands in capitals is to be filled in. */
export function curlOf(operation: RestOperation, origin: string): string {
  const { method, path, permission } = operation.route;
  const schema = inputSchemaOf(operation);
  const inPath = operation.segments.map(parameterOf);
  const needed = requiredOf(schema).filter((name) => !inPath.includes(name));
  const properties = propertiesOf(schema);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase());
  const inQuery = method === "GET" || method === "DELETE";
  const query = inQuery ? needed.map((name) => `${name}=${name.toUpperCase()}`).join("&") : "";
  const parts = [`curl${method === "GET" ? "" : ` -X ${method}`} '${origin}/api/v1${filled}${query && `?${query}`}'`];
  if (permission !== "public") parts.push(`-H "Authorization: Bearer $NEREID_KEY"`);
  if (!inQuery && needed.length > 0) {
    const body = Object.fromEntries(needed.map((name) => [name, exampleOf(name, properties[name]?.["type"])]));
    parts.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(body)}'`);
  }
  return parts.join(" \\\n  ");
}

function exampleOf(name: string, type: unknown): unknown {
  switch (type) {
    case "boolean":
      return true;
    case "number":
    case "integer":
      return 1;
    case "array":
      return [];
    default:
      return name.toUpperCase();
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
