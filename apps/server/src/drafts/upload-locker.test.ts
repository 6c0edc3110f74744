import { describe, expect, it } from "vitest";
import { UploadLocker } from "./upload-locker.ts";

const never = new AbortController().signal;

describe("UploadLocker", () => {
  it("lets one in at a time and asks the holder to end", async () => {
    const locker = new UploadLocker();
    const order: string[] = [];
    const first = locker.newLock("u");
    await first.lock(never, () => void order.push("asked"));
    const others = ["second", "third"].map(async (name) => {
      const lock = locker.newLock("u");
      await lock.lock(never, () => undefined);
      order.push(`${name} in`);
      await lock.unlock();
      order.push(`${name} out`);
    });
    await locker.newLock("other").lock(never, () => undefined);
    order.push("first out");
    await first.unlock();
    await Promise.all(others);
    expect(order.slice(0, 3)).toEqual(["asked", "asked", "first out"]);
    expect(order.filter((line) => line.endsWith(" in"))).toHaveLength(2);
  });

  it("gives up when the request is gone, and in the end", async () => {
    const locker = new UploadLocker(1);
    await locker.newLock("u").lock(never, () => undefined);
    await expect(locker.newLock("u").lock(never, () => undefined)).rejects.toMatchObject({ status_code: 500 });
    const gone = new AbortController();
    const waiting = new UploadLocker();
    await waiting.newLock("u").lock(never, () => undefined);
    const second = waiting.newLock("u").lock(gone.signal, () => undefined);
    gone.abort();
    await expect(second).rejects.toMatchObject({ status_code: 500 });
  });
});
