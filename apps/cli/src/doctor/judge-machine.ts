import type { Facts } from "./facts.ts";
import type { Finding } from "./finding.ts";

const LEAST_NODE = [20, 19] as const;
const LEAST_SHARED_MEMORY = 2 ** 30;
const LEAST_MEMORY = 2 ** 30;
const LEAST_OPEN_FILES = 4096;
const GIB = 2 ** 30;

/** Rows about Node and the machine. Pure. */
export function judgeMachine({ node, sharedMemory, memoryBytes, cores, openFiles }: Facts): readonly Finding[] {
  const findings: Finding[] = [nodeFinding(node)];
  if (sharedMemory === undefined)
    findings.push({
      subject: "shared-memory",
      status: "problem",
      text: "/dev/shm is not there; tensors between server and models go through it",
      fix: "mount -t tmpfs -o size=1g tmpfs /dev/shm",
    });
  else
    findings.push(
      enough("shared-memory", sharedMemory.totalBytes >= LEAST_SHARED_MEMORY, {
        text: `/dev/shm: ${gib(sharedMemory.totalBytes)}, ${gib(sharedMemory.freeBytes)} free`,
        fix: "mount -o remount,size=1g /dev/shm; in a container: docker run --shm-size=1g",
      }),
    );
  findings.push(
    enough("memory", memoryBytes >= LEAST_MEMORY, {
      text: gib(memoryBytes),
      fix: "give the machine or container at least 1 GiB: docker run --memory=1g",
    }),
    enough("cores", cores >= 1, { text: String(cores), fix: "docker run --cpus=1" }),
  );
  if (openFiles !== undefined)
    findings.push(
      enough("open-files", openFiles >= LEAST_OPEN_FILES, {
        text: openFiles === Number.POSITIVE_INFINITY ? "no limit" : `${openFiles} a process`,
        fix: "ulimit -n 65536; in a container: docker run --ulimit nofile=65536:65536",
      }),
    );
  return findings;
}

function nodeFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = LEAST_NODE;
  const old = major < leastMajor || (major === leastMajor && minor < leastMinor);
  const text = `Node ${version}`;
  if (!old) return { subject: "node", status: "ok", text };
  return {
    subject: "node",
    status: "problem",
    text: `${text}; ${LEAST_NODE.join(".")} or later is needed`,
    fix: `npx n ${leastMajor}, or see https://nodejs.org/download`,
  };
}

function enough(
  subject: Finding["subject"],
  is: boolean,
  { text, fix }: { readonly text: string; readonly fix: string },
): Finding {
  return is ? { subject, status: "ok", text } : { subject, status: "problem", text: `${text}: too little`, fix };
}

function gib(bytes: number): string {
  return `${(bytes / GIB).toFixed(1)} GiB`;
}
