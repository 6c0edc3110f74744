// Runs one action on a repository and kills its own process before a numbered step; prints the number of steps otherwise.
import { commitVersion } from "../publish/commit-version.ts";
import { writeConfig } from "../publish/config-text.ts";
import { deleteModel, deleteVersion } from "../publish/delete-from-repository.ts";
import { recoverStaging } from "../staging/recover-staging.ts";

/** One line of input; the process answers each with one line. */
export interface CrashJob {
  readonly action: "commit" | "config" | "delete-version" | "delete-model" | "recover";
  readonly root: string;
  readonly model: string;
  readonly version: string;
  readonly tree: string;
  readonly text: string;
  readonly ifDigest: string;
  /** Step to die before; 0 = never. */
  readonly dieAt: number;
}

let count = 0;
const job: CrashJob = JSON.parse(process.argv[2] ?? "{}");
const steps = () => {
  count += 1;
  if (count === job.dieAt) process.kill(process.pid, "SIGKILL");
};
const { root, model, version } = job;
switch (job.action) {
  case "commit":
    await commitVersion({
      root,
      model,
      version,
      tree: job.tree,
      configText: job.text,
      ifConfigDigest: job.ifDigest,
      steps,
    });
    break;
  case "config":
    await writeConfig({ modelDirectory: `${root}/${model}`, text: job.text, ifDigest: job.ifDigest, steps });
    break;
  case "delete-version":
    await deleteVersion({ root, model, version, steps });
    break;
  case "delete-model":
    await deleteModel({ root, model, steps });
    break;
  case "recover":
    await recoverStaging(root, { steps });
    break;
}
process.stdout.write(String(count));
