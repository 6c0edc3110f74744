import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import { infer, type Tensor } from "./models.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const MODEL = "e2e_digits";
const IMAGE: Tensor = {
  name: "image",
  datatype: "FP32",
  shape: [1, 1, 28, 28],
  data: Array.from({ length: 784 }, () => 0.5),
};
const digits = (version: string) => join(import.meta.dirname, "..", "model_repo", "digits_cnn", version, "model.onnx");

/** Drops a file on the middle of the page, as a person would. */
async function drop(page: Page, file: { readonly path: string; readonly name: string }): Promise<void> {
  const bytes = readFileSync(file.path).toString("base64");
  const dataTransfer = await page.evaluateHandle(
    ({ base64, name }) => {
      const transfer = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      transfer.items.add(new File([content], name));
      return transfer;
    },
    { base64: bytes, name: file.name },
  );
  await page.dispatchEvent("main", "dragover", { dataTransfer });
  await expect(page.getByText("Drop to deploy")).toBeVisible();
  await page.dispatchEvent("main", "drop", { dataTransfer });
}

/** Clients that infer without a pause until they are ended; then tells what they got. */
function startClients(count: number) {
  let running = true;
  const versions = new Map<string, number>();
  const failures: string[] = [];
  const client = async () => {
    while (running) {
      try {
        const { status, version } = await infer(MODEL, IMAGE);
        if (status === 200 && version !== null) versions.set(version, (versions.get(version) ?? 0) + 1);
        else failures.push(`status ${status}`);
      } catch (error) {
        failures.push(String(error));
      }
    }
  };
  const all = Promise.all(Array.from({ length: count }, client));
  return {
    versions,
    async end() {
      running = false;
      await all;
      return failures;
    },
  };
}

test("a file dropped on the models page becomes a served model; the next version is swapped in, back and in again under load", async ({
  page,
}) => {
  await page.goto(web("/models"));
  await expect(page.getByRole("row", { name: /mnist/ })).toBeVisible();
  await drop(page, { path: digits("1"), name: "model.onnx" });
  await expect(page).toHaveURL(/\/deploy/);
  await page.getByLabel("Model name").fill(MODEL);
  await page.getByRole("button", { name: "Upload and check" }).click();

  await expect(page.getByText(`${MODEL}, version 1`)).toBeVisible();
  await expect(page.getByText("new model")).toBeVisible();
  await expect(page.getByText("received and verified")).toBeVisible();
  await expect(page.getByText("FP32 [batch, 1, 28, 28]")).toBeVisible();
  await expect(page.getByText("passed", { exact: true })).toBeVisible();
  await expect(page.getByText(/proposed from the graph/)).toBeVisible();
  await expect(page.getByLabel("Configuration to be published")).toContainText("max_batch_size");
  await page.getByLabel("Reason").fill("first of its kind");
  await page.getByRole("button", { name: `Publish ${MODEL}/1` }).click();
  await expect(page.getByText(`${MODEL}/1 is published and serving`)).toBeVisible();
  expect(await infer(MODEL, IMAGE)).toEqual({ status: 200, version: "1" });

  const clients = startClients(8);
  await page.getByRole("button", { name: "Deploy another" }).click();
  await page.getByLabel("Drop a model here: files").setInputFiles(digits("2"));
  await page.getByLabel("Model name").fill(MODEL);
  await page.getByRole("button", { name: "Upload and check" }).click();
  await expect(page.getByText(`${MODEL}, version 2`)).toBeVisible();
  await expect(page.getByText("new version", { exact: true })).toBeVisible();
  await page.getByRole("button", { name: `Publish ${MODEL}/2` }).click();
  await expect(page.getByText(`${MODEL}/2 is published and serving`)).toBeVisible();
  await expect.poll(async () => (await infer(MODEL, IMAGE)).version).toBe("2");

  await page.getByRole("link", { name: "Versions" }).click();
  const versions = page.getByRole("region", { name: "Versions" });
  await expect(versions.getByRole("row", { name: /^Choose version 2/ }).getByText("Ready")).toBeVisible();
  await page.getByRole("button", { name: "Roll back to 1" }).click();
  await expect(page.getByText("Rolled back to version 1")).toBeVisible();
  expect((await infer(MODEL, IMAGE)).version).toBe("1");
  await expect(versions.getByRole("row", { name: /^Choose version 1/ }).getByText("Pinned")).toBeVisible();

  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByText("Taken back: served as before")).toBeVisible();
  expect((await infer(MODEL, IMAGE)).version).toBe("2");
  expect(await clients.end()).toEqual([]);
  expect([...clients.versions.keys()].sort()).toEqual(["1", "2"]);
});

test("a file that is no model is refused with a reason, and the draft can be thrown away", async ({ page }) => {
  await page.goto(web("/deploy"));
  await page
    .getByLabel("Drop a model here: files")
    .setInputFiles({ name: "notes.onnx", mimeType: "application/octet-stream", buffer: Buffer.from("not a model") });
  await page.getByRole("button", { name: "Upload and check" }).click();
  await expect(page.getByText(/not a valid ONNX file/)).toBeVisible();
  await expect(page.getByText(/^What to do: /)).toBeVisible();
  await expect(page.getByRole("button", { name: /^Publish/ })).toBeHidden();
  await page.getByRole("button", { name: "Discard", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Discard" }).click();
  await expect(page.getByText("Drop a model here")).toBeVisible();
});
