import type { Token } from "../text/token.ts";
import type { FieldNode, ValueNode } from "../text/tree.ts";

/** Every token of a node in the order of the text. */
export function tokensOf(node: FieldNode | ValueNode): Token[] {
  const tokens: Token[] = [];
  collect(node, tokens);
  return tokens;
}

function collect(node: FieldNode | ValueNode, tokens: Token[]): void {
  const push = (token: Token | undefined) => {
    if (token !== undefined) tokens.push(token);
  };
  switch (node.kind) {
    case "field":
      push(node.name);
      push(node.colon);
      collect(node.value, tokens);
      push(node.separator);
      return;
    case "scalar":
      if (node.sign !== node.first) push(node.sign);
      for (const token of node.tokens) push(token);
      return;
    case "message":
      push(node.open);
      for (const field of node.fields) collect(field, tokens);
      push(node.close);
      return;
    case "list":
      push(node.open);
      for (const [index, item] of node.items.entries()) {
        collect(item, tokens);
        push(node.commas[index]);
      }
      push(node.close);
      return;
    case "missing":
      return;
  }
}
