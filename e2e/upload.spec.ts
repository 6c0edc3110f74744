import { rmSync, writeFileSync } from "node:fs";
import { expect, type Page, type Request } from "@playwright/test";
import { onnxModel } from "../packages/model-authoring/src/onnx-graph.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const MIB = 1 << 20;
/** More than two of the page's chunks. */
const WEIGHTS = (40 * MIB) / Float32Array.BYTES_PER_ELEMENT;

/** A model that is served like any other, and large. */
function largeModel(): Uint8Array {
  return onnxModel({
    name: "large",
    inputs: [{ name: "ROW", type: "INT64", dims: ["batch"] }],
    outputs: [{ name: "WEIGHT", type: "FLOAT", dims: ["batch"] }],
    constants: [{ name: "weights", type: "FLOAT", dims: [WEIGHTS], data: new Float32Array(WEIGHTS) }],
    nodes: [{ op: "Gather", inputs: ["weights", "ROW"], outputs: ["WEIGHT"] }],
  });
}

async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

/** What the server has of the draft's only upload. */
async function received(page: Page): Promise<{ readonly bytes: number; readonly receivedBytes: number }> {
  const id = new URL(page.url()).searchParams.get("draft") ?? "";
  const answer = await page.request.get(web(`/api/v1/drafts/${id}`));
  const draft: { readonly uploads: readonly { readonly bytes: number; readonly receivedBytes: number }[] } =
    await answer.json();
  return draft.uploads[0] ?? { bytes: 0, receivedBytes: 0 };
}

const isPiece = (request: Request) => request.method() === "PATCH" && request.url().includes("/api/v1/uploads/");

test("an upload that breaks goes on by itself, and one cut off by a reload from what has arrived", async ({
  page,
}, testInfo) => {
  const path = testInfo.outputPath("large.onnx");
  writeFileSync(path, largeModel());

  await test.step("the connection breaks once", async () => {
    let broken = false;
    await page.route("**/api/v1/uploads/*", async (route, request) => {
      if (broken || !isPiece(request) || request.headers()["upload-offset"] === "0") return route.continue();
      broken = true;
      await slowDown(page, 4 * MIB);
      return route.abort("connectionreset");
    });
    await page.goto(web("/deploy"));
    await page.getByLabel("Drop a model here: files").setInputFiles(path);
    const asked = page.waitForRequest((request) => request.method() === "HEAD" && request.url().includes("/uploads/"));
    await page.getByRole("button", { name: "Upload and check" }).click();
    await asked;
    expect(broken).toBe(true);
  });

  await test.step("the page is reloaded in the middle of a piece", async () => {
    await expect
      .poll(async () =>
        Number(await page.getByRole("progressbar", { name: "All files" }).getAttribute("aria-valuenow")),
      )
      .toBeGreaterThanOrEqual(50);
    await page.unroute("**/api/v1/uploads/*");
    page.once("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await expect(page.getByText("interrupted; choose the same file again to go on")).toBeVisible();
  });

  await test.step("the same file goes on from what the server has", async () => {
    await slowDown(page, -1);
    const before = await received(page);
    expect(before.receivedBytes).toBeGreaterThanOrEqual(16 * MIB);
    expect(before.receivedBytes).toBeLessThan(before.bytes);
    const offsets: number[] = [];
    page.on("request", (request) => {
      if (isPiece(request)) offsets.push(Number(request.headers()["upload-offset"]));
    });
    const position = page.waitForResponse((response) => response.request().method() === "HEAD" && response.ok());
    await page.getByLabel("Choose the same files again to go on: files").setInputFiles(path);
    expect(Number((await position).headers()["upload-offset"])).toBe(before.receivedBytes);
    await expect(page.getByText("received and verified")).toBeVisible();
    expect(offsets[0]).toBe(before.receivedBytes);
    expect(offsets.toSorted((a, b) => a - b)).toEqual(offsets);
    await expect(page.getByText("large, version 1")).toBeVisible();
    await expect(page.getByText("passed", { exact: true })).toBeVisible();
  });

  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Drop a model here")).toBeVisible();
  rmSync(path);
});
