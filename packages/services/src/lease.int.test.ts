import { createTestDatabase, type TestDatabase, testDialects } from "@nereid/db/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { giveLeaseBack, holdsLease, takeLease } from "./lease.ts";

describe.each(await testDialects())("a lease on $dialect", (dialect) => {
  let test: TestDatabase;
  beforeAll(async () => {
    test = await createTestDatabase(dialect);
  });
  beforeEach(() => test.db.lease.deleteMany());
  afterAll(() => test.drop());
  const take = (holder: string, nowMs: number) => takeLease(test.db, { name: "l", holder, nowMs, forMs: 1_000 });

  it("is one process's until it is silent for too long; the next has a greater number, and the old one holds nothing", async () => {
    const first = await take("a", 0);
    if (first === null) throw new Error("nobody had it");
    expect(first.fence).toBe(1);
    expect(await take("b", 500)).toBeNull();
    expect(await take("a", 900)).toEqual(first);
    expect(await take("b", 1_500)).toBeNull();
    const second = await take("b", 2_000);
    expect(second).toEqual({ name: "l", holder: "b", fence: 2 });
    expect([await holdsLease(test.db, first), await take("a", 2_100)]).toEqual([false, null]);
    // Who lost it cannot give it away.
    await giveLeaseBack(test.db, first);
    expect(await take("a", 2_200)).toBeNull();
    if (second !== null) await giveLeaseBack(test.db, second);
    expect((await take("a", 2_300))?.fence).toBe(3);
  });

  it("of many that ask at once one gets it", async () => {
    const asked = await Promise.all(["a", "b", "c", "d", "e"].map((holder) => take(holder, 0)));
    expect(asked.filter((lease) => lease !== null)).toHaveLength(1);
  });
});
