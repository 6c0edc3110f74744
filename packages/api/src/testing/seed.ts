import type { Database } from "@nereid/db";
import type { DiagnosisReport, ManagedNode } from "@nereid/services";
import { rolloutSpec, thresholds } from "@nereid/services";
import { sha256 } from "@nereid/services/testing";

/** Empties the tables and puts in what the inputs of `inputs.ts` name: two people, a session, a key, an invitation, a configuration and a checked draft. */
export async function seed(db: Database, node: ManagedNode["client"]): Promise<void> {
  for (const table of [
    db.auditEvent,
    db.invitation,
    db.configEntry,
    db.deployment,
    db.user,
    db.setting,
    db.node,
    db.slo,
    db.alert,
    db.alertChannel,
    db.diagnosis,
    db.fixture,
    db.preference,
    db.rollout,
    db.labJob,
  ]) {
    // They differ in their rows only, which are not looked at.
    await (table as typeof db.setting).deleteMany();
  }
  const at = new Date("2026-11-21T07:00:00Z");
  const expiresAt = new Date("2026-12-01T00:00:00Z");
  for (const [id, role] of [
    ["u1", "admin"],
    ["u2", "viewer"],
  ] as const) {
    await db.user.create({ data: { id, name: id, email: `${id}@example.org`, role } });
  }
  await db.session.create({ data: { id: "s2", userId: "u2", token: "t2", expiresAt } });
  await db.node.create({
    data: { id: "n1", name: "one", kind: "nereid", url: "http://127.0.0.1:9", createdAt: at, addedByName: "u1" },
  });
  const key = { id: "key1", hash: "h", prefix: "nrd_12345678", name: "old", scopes: '["model.read"]' };
  await db.apiKey.create({ data: { ...key, ownerId: "u1", createdAt: at } });
  await db.invitation.create({
    data: {
      id: "i1",
      tokenHash: "h",
      kind: "invite",
      email: "i@example.org",
      name: "I",
      role: "viewer",
      createdAt: at,
      expiresAt,
      createdById: "u1",
      createdByName: "u1",
    },
  });
  await seedOperations(db, at);
  const text = 'name: "resnet"\n';
  await db.configEntry.create({
    data: {
      id: "e1",
      model: "resnet",
      number: 1,
      at,
      authorName: "u1",
      digest: sha256(text),
      source: "found",
      text,
    },
  });
  await node.openDraft({ author: "u1", model: "resnet", version: "4" });
  await node.checkDraft("d1");
}

/** A diagnosis in which nothing could be said. */
const REPORT: DiagnosisReport = {
  symptom: "p99-high",
  title: "The 99th percentile is high",
  steps: [],
  verdict: { cause: "not-enough-data", title: "Too few", explanation: "Too few.", confidence: 1, suggestion: null },
  model: "resnet",
  version: null,
  node: "local",
  from: 0,
  to: 300,
  bars: thresholds.parse({}),
  figures: { requests: 0, failureShare: 0, p50: null, p99: null, queue: null, infer: null, requestsPerSecond: 0 },
  slow: [],
  timeline: [],
};

/** A saved view, an objective, its alert, a receiver and a kept diagnosis. */
async function seedOperations(db: Database, at: Date): Promise<void> {
  const body = { protocol: "http", inputs: [], classification: 0, parameters: {} };
  await db.fixture.create({ data: { id: "f1", model: "resnet", name: "one", body, createdAt: at, authorName: "Ada" } });
  await db.preference.createMany({
    data: ["u1", "u2"].map((userId) => ({ userId, key: "view:v1", value: { name: "One", path: "/events" } })),
  });
  await db.slo.create({
    data: {
      id: "o1",
      name: "fast",
      model: "resnet",
      latencyMs: 50,
      objective: 0.99,
      windowDays: 7,
      createdAt: at,
      createdByName: "u1",
    },
  });
  await db.alert.create({
    data: {
      id: "a1",
      key: "slo/o1/fast",
      severity: "page",
      title: "resnet is slow",
      model: "resnet",
      sloId: "o1",
      openedAt: at,
      facts: { rule: "fast", longRate: 20 },
    },
  });
  await db.alertChannel.create({
    data: {
      id: "c1",
      name: "pager",
      url: "https://example.com/hook",
      secret: "sealed:s",
      severities: '["page"]',
      createdAt: at,
      createdByName: "u1",
    },
  });
  await seedRollout(db, at);
  await seedLabJob(db, at);
  await db.diagnosis.create({
    data: {
      id: "g1",
      at,
      model: "resnet",
      node: "local",
      from: 0,
      to: 300,
      verdict: REPORT.verdict.cause,
      report: JSON.parse(JSON.stringify(REPORT)),
      authorName: "u1",
    },
  });
}

/** A load test that waits. */
async function seedLabJob(db: Database, at: Date): Promise<void> {
  await db.labJob.create({
    data: {
      id: "l1",
      kind: "load-test",
      node: "local",
      model: "resnet",
      title: "How much it takes",
      spec: { model: "resnet" },
      phase: "waiting",
      active: true,
      says: "",
      revision: 1,
      createdAt: at,
      createdByName: "u1",
      note: "",
    },
  });
  await db.labJob.create({
    data: {
      id: "l2",
      kind: "experiment",
      node: "local",
      model: "resnet",
      title: "Two instances wait less",
      spec: {
        model: "resnet",
        hypothesis: "two instances wait less",
        load: { kind: "concurrency", level: 4 },
        baseline: { text: "", digest: "" },
        change: { text: "max_batch_size: 8" },
      },
      phase: "succeeded",
      active: false,
      says: "",
      revision: 1,
      createdAt: at,
      createdByName: "u1",
      startedAt: at,
      endedAt: at,
      note: "",
    },
  });
}

/** A rollout in its first step. */
async function seedRollout(db: Database, at: Date): Promise<void> {
  const spec = rolloutSpec.parse({ model: "stuck", baseline: "1", candidate: "2" });
  await db.rollout.create({
    data: {
      id: "r1",
      model: "stuck",
      node: "local",
      baseline: "1",
      candidate: "2",
      spec: JSON.parse(JSON.stringify(spec)),
      state: { kind: "running", since: at.getTime(), step: 0 },
      phase: "running",
      active: true,
      evidence: {
        t: 0,
        attempt: 1,
        reference: [],
        expected: {},
        current: {
          step: 0,
          settling: 0,
          seconds: 0,
          candidate: { requests: 0, failed: 0, queueNs: 0, latency: [] },
          baseline: { requests: 0, failed: 0, queueNs: 0, latency: [] },
          tallies: {},
        },
        past: [],
        arrivals: [],
        memorySeconds: 0,
        memoryShare: null,
        gpusBefore: [],
        gpus: [],
        outputs: null,
        missingSince: null,
        baselineMissingSince: null,
      },
      history: [{ atMs: at.getTime(), phase: "running", step: 0, says: "Step 1 of 5", by: "Ada" }],
      revision: 1,
      createdAt: at,
      createdByName: "Ada",
      note: "",
    },
  });
}
