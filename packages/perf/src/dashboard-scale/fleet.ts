import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface SmallNodeProcess {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly models: readonly string[];
}

export interface Fleet {
  readonly nodes: readonly SmallNodeProcess[];
  stop(): Promise<void>;
}

export interface FleetPlan {
  /** Folder of the bundles. */
  readonly dist: string;
  readonly nodes: number;
  /** Models of the first node, and of each of the others. */
  readonly models: number;
  readonly modelsOfOthers: number;
  /** Milliseconds between two requests to the same model. */
  readonly intervalMs: number;
}

/** Small nodes, each a process, and one process that sends requests to all their models. */
export async function startFleet(plan: FleetPlan): Promise<Fleet> {
  const children: ChildProcess[] = [];
  const stop = async () => {
    await Promise.all(children.map(end));
  };
  try {
    const nodes = await Promise.all(
      Array.from({ length: plan.nodes }, async (_, index) => {
        const name = `node-${String(index).padStart(2, "0")}`;
        const models = namesOf(index === 0 ? plan.models : plan.modelsOfOthers);
        const child = spawn(process.execPath, [`${plan.dist}/small-node.js`, name, ...models], {
          stdio: ["pipe", "pipe", "inherit"],
        });
        children.push(child);
        return { name, models, pid: child.pid ?? 0, url: `http://127.0.0.1:${await portOf(child)}` };
      }),
    );
    const places = nodes.flatMap(({ url, models }) => [url, models.join(",")]);
    children.push(
      spawn(process.execPath, [`${plan.dist}/scale-traffic.js`, String(plan.intervalMs), ...places], {
        stdio: ["pipe", "ignore", "inherit"],
      }),
    );
    return { nodes, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function namesOf(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `model-${String(index).padStart(3, "0")}`);
}

function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`a small node ended with ${code}`)));
    const { stdout } = child;
    if (stdout === null) return reject(new Error("a small node has no output"));
    createInterface({ input: stdout }).on("line", (line) => {
      const port = /^port (\d+)$/.exec(line)?.[1];
      if (port !== undefined) resolve(Number(port));
    });
  });
}

/** They end with their standard input. */
function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once("exit", () => resolve());
    child.stdin?.end();
  });
}
