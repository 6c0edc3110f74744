import { spawnSync } from "node:child_process";
import { NereidError } from "@nereid/errors";
import type { RunnerCommand } from "../runners/runner-host.ts";

/** What the processes that run models are kept from, besides what all of them are (docs/security.md). */
export interface Sandbox {
  /** Runs them as this user; the server must be root. */
  readonly user?: { readonly uid: number; readonly gid: number } | undefined;
  /** "none": their own network, with nobody in it. */
  readonly network: "shared" | "none";
}

export const OPEN_SANDBOX: Sandbox = { network: "shared" };

/** A user who may not make a network of his own may do so in a user namespace, where the system allows that. */
function networkArgs(root: boolean): readonly string[] {
  return root ? ["--net"] : ["--net", "--map-current-user", "--user"];
}

/** The command with which a runner is started in the sandbox. Pure. */
export function sandboxed(command: RunnerCommand, sandbox: Sandbox, root: boolean): RunnerCommand {
  if (sandbox.network === "shared") return command;
  const { user } = sandbox;
  // A network of its own needs root's rights, which are given away after it.
  const asUser =
    user === undefined
      ? []
      : ["setpriv", `--reuid=${user.uid}`, `--regid=${user.gid}`, "--clear-groups", "--inh-caps=-all", "--"];
  return {
    program: "unshare",
    args: [...networkArgs(root), "--", ...asUser, command.program, ...command.args],
  };
}

/** User and group to spawn with, where the command does not change them itself. */
export function spawnUser({ user, network }: Sandbox): { readonly uid?: number; readonly gid?: number } {
  return user === undefined || network === "none" ? {} : user;
}

/**
 * Tries the sandbox once, before any model needs it. UNSUPPORTED says why the system does not offer it, and what to do.
 * `run` returns the exit code and what was printed.
 */
export function checkSandbox(sandbox: Sandbox, root: boolean, run = tryCommand): void {
  if (sandbox.user !== undefined && !root)
    throw new NereidError(
      "UNSUPPORTED",
      "--runner-user needs a server that was started as root; start it so, or leave the option out",
    );
  if (sandbox.network === "shared") return;
  const { program, args } = sandboxed({ program: "true", args: [] }, sandbox, root);
  const { code, text } = run(program, args);
  if (code === 0) return;
  throw new NereidError(
    "UNSUPPORTED",
    `--runner-network=none: this system gives processes no network of their own (${text.trim() || `exit code ${code}`}); install util-linux, allow user namespaces (sysctl kernel.unprivileged_userns_clone=1) or, in a container, add the capability SYS_ADMIN`,
  );
}

/** UNSUPPORTED when the runners' user cannot go into a directory that runners need. */
export function checkReach({ user }: Sandbox, directory: string): void {
  if (user === undefined) return;
  const { status } = spawnSync("test", ["-x", directory], { ...user });
  if (status === 0) return;
  throw new NereidError(
    "UNSUPPORTED",
    `--runner-user=${user.uid}:${user.gid} cannot go into '${directory}', where its models would find the server; let others go through the directories above it (chmod o+x), or set TMPDIR to one where they may`,
  );
}

function tryCommand(program: string, args: readonly string[]): { code: number; text: string } {
  const { status, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  return { code: status ?? -1, text: error?.message ?? stderr };
}
