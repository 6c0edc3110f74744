/** One call of the REST API, and the same thing on the command line. */
export interface CopyCall {
  /** Where the dashboard is, e.g. `https://nereid.example`. */
  readonly origin: string;
  readonly method: "POST" | "PUT" | "DELETE";
  /** Below `/api/v1`, encoded. */
  readonly path: string;
  readonly body: object;
  /** What comes after `nereid models`; shell words. A text before it goes on lines of its own. */
  readonly cli: { readonly before?: string; readonly words: readonly string[] };
}

export interface CopyTexts {
  readonly curl: string;
  readonly typescript: string;
  readonly python: string;
  readonly cli: string;
}

/** For single quotes of a POSIX shell. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A call for other hands. The key is read from NEREID_API_KEY and never written down. */
export function copyCall({ origin, method, path, body, cli }: CopyCall): CopyTexts {
  const url = `${origin}/api/v1${path}`;
  const json = JSON.stringify(body, null, 2);
  return {
    curl: `curl --fail-with-body -X ${method} ${shellQuote(url)} \\
  -H "authorization: Bearer $NEREID_API_KEY" \\
  -H 'content-type: application/json' \\
  --data ${shellQuote(json)}
`,
    typescript: `const response = await fetch(${JSON.stringify(url)}, {
  method: "${method}",
  headers: { authorization: \`Bearer \${process.env.NEREID_API_KEY}\`, "content-type": "application/json" },
  body: JSON.stringify(${json.replaceAll("\n", "\n  ")}),
});
if (!response.ok) throw new Error(await response.text());
`,
    python: `import json, os, urllib.request

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="${method}",
    headers={"authorization": "Bearer " + os.environ["NEREID_API_KEY"], "content-type": "application/json"},
    data=json.dumps(json.loads(${JSON.stringify(JSON.stringify(body))})).encode(),
)
with urllib.request.urlopen(request) as response:
    print(response.status, response.read().decode())
`,
    cli: `# with NEREID_API_KEY set\n${cli.before ?? ""}nereid models ${cli.words.map(wordOf).join(" ")} --url=${wordOf(origin)}\n`,
  };
}

/** A word that needs no quotes stays as it is. */
function wordOf(text: string): string {
  return /^[A-Za-z0-9_./:=@,+-]+$/.test(text) ? text : shellQuote(text);
}
