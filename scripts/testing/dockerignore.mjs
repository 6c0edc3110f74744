/** Whether a .dockerignore keeps a path out of the build context: the last rule that matches decides, `!` lets in again. */
export function isIgnored(rules, path) {
  let ignored = false;
  for (const line of rules.split("\n")) {
    const rule = line.trim();
    if (rule === "" || rule.startsWith("#")) continue;
    const negated = rule.startsWith("!");
    if (patternOf(negated ? rule.slice(1) : rule).test(path)) ignored = !negated;
  }
  return ignored;
}

function patternOf(rule) {
  const parts = rule.split(/(\*\*\/|\*)/).map((part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "*") return "[^/]*";
    return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}(?:/.*)?$`);
}
