/**
 * The stages of a Dockerfile in their order: {name, base, instructions: [{instruction, text, flags, args}]}. Reads what our own
 * files use: continuation lines, flags, JSON and shell forms; no here-documents.
 */
export function parseDockerfile(text) {
  const stages = [];
  const args = new Map();
  for (const line of logicalLines(text)) {
    const [, instruction = "", rest = ""] = /^([A-Z]+)\s+(.*)$/s.exec(line) ?? [];
    if (instruction === "") throw new Error(`not an instruction: ${line}`);
    if (instruction === "FROM") {
      const [, base, name = String(stages.length)] = /^(\S+)(?:\s+AS\s+(\S+))?$/.exec(rest) ?? [];
      stages.push({ name, base: substitute(base, args), instructions: [] });
    } else if (stages.length === 0) args.set(...rest.split("="));
    else stages.at(-1).instructions.push({ instruction, text: rest, ...splitFlags(rest) });
  }
  return stages;
}

/** The instructions of one kind in a stage. */
export function instructionsOf(stage, instruction) {
  return stage.instructions.filter((candidate) => candidate.instruction === instruction);
}

function logicalLines(text) {
  const lines = text.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  return lines
    .join("\n")
    .replace(/\\\n\s*/g, "")
    .split("\n");
}

function splitFlags(rest) {
  const flags = {};
  let words = rest;
  for (;;) {
    const match = /^--([a-z-]+)(?:=(\S+))?\s+/.exec(words);
    if (match === null) break;
    flags[match[1]] = match[2] ?? "true";
    words = words.slice(match[0].length);
  }
  const json = /(\[.*\])$/s.exec(words)?.[1];
  return { flags, args: json === undefined ? words.trim().split(/\s+/) : JSON.parse(json) };
}

function substitute(text, args) {
  return text.replace(/\$\{(\w+)\}/g, (_, name) => args.get(name) ?? "");
}
