/** Nodes of a model's graph by the execution provider they run on, such as `CPUExecutionProvider`. */
export type Placement = Readonly<Record<string, number>>;

const PLACED = /placed on \[(\w+)\]\. Number of nodes: (\d+)/;
/** Lines of the engine's log below warnings: they are made for this alone. */
const CHATTER = /\[[VI]:onnxruntime:/;

/** Reads, from what a runner prints while it loads, where the engine put the nodes of the graph. */
export class PlacementReader {
  readonly #nodes = new Map<string, number>();

  /** Whether the line is the engine's chatter, and nobody else's business. */
  read(line: string): boolean {
    const found = PLACED.exec(line);
    // The engine splits long lists: what comes again for a provider is the same graph of another instance, or a longer count of it.
    if (found !== null) this.#nodes.set(found[1] ?? "", Number(found[2]));
    return CHATTER.test(line);
  }

  /** Undefined when nothing was said. */
  get placement(): Placement | undefined {
    return this.#nodes.size === 0 ? undefined : Object.fromEntries(this.#nodes);
  }
}
