/** A small node as a process of its own: `node small-node.js <name> <model>…`. Prints its port; ends with its standard input. */
import { SmallNode } from "./small-node.ts";

const [name = "small", ...models] = process.argv.slice(2);
const node = await SmallNode.start({ name, models });
console.log(`port ${node.port}`);
process.stdin.resume();
process.stdin.once("end", () => process.exit(0));
