import type { Database } from "@nereid/db";
import type { ManagedNode } from "@nereid/services";
import { sha256 } from "@nereid/services/testing";

/** Empties the tables and puts in what the inputs of `inputs.ts` name: two people, a session, a key, an invitation, a configuration and a checked draft. */
export async function seed(db: Database, node: ManagedNode["client"]): Promise<void> {
  for (const table of [db.auditEvent, db.invitation, db.configEntry, db.deployment, db.user, db.setting, db.node]) {
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
