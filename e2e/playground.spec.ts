import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { crc32, deflateSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { checkLooks } from "./check-looks.ts";
import { contextOf, makePerson } from "./people.ts";
import { serveScript, unload } from "./planted.ts";
import { server, web } from "./product.ts";
import { test } from "./signed-in.ts";

const run = promisify(execFile);

/** A grey picture as a PNG: white where `light` says so. */
function png(side: number, light: (x: number, y: number) => boolean): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const ends = Buffer.alloc(8);
    ends.writeUInt32BE(data.length, 0);
    ends.writeUInt32BE(crc32(body), 4);
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side, 0);
  head.writeUInt32BE(side, 4);
  head.set([8, 0, 0, 0, 0], 8);
  const rows = Array.from({ length: side }, (_, y) =>
    Buffer.from([0, ...Array.from({ length: side }, (_column, x) => (light(x, y) ? 255 : 0))]),
  );
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = chunk("IDAT", deflateSync(Buffer.concat(rows)));
  return Buffer.concat([signature, chunk("IHDR", head), data, chunk("IEND", Buffer.alloc(0))]);
}

/** A sound of two channels with the same sample all along, 16 bits each. */
function wav(rate: number, samples: number, [left, right]: readonly [number, number]): Buffer {
  const data = Buffer.alloc(samples * 4);
  for (let at = 0; at < samples; at += 1) {
    data.writeInt16LE(left, at * 4);
    data.writeInt16LE(right, at * 4 + 2);
  }
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(2, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 4, 28);
  head.writeUInt16LE(4, 32);
  head.writeUInt16LE(16, 34);
  head.write("data", 36);
  head.writeUInt32LE(data.length, 40);
  return Buffer.concat([head, data]);
}

const card = (page: Page, title: string) =>
  page.locator("section").filter({ has: page.getByRole("heading", { name: title, level: 2, exact: true }) });
const send = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

test("a model is tried: random, JSON, a picture; classes, phases, gRPC, history", async ({ page }) => {
  await page.goto(web("/models/mnist"));
  await page.getByRole("link", { name: "Playground" }).click();
  await expect(page.getByText("Nothing was sent yet")).toBeVisible();
  await checkLooks(page, "the playground before a request");

  await send(page).click();
  await expect(card(page, "Answer").getByText("FP32 [1, 10]")).toBeVisible();
  const times = card(page, "Where the time went");
  for (const phase of ["Receive", "Queue", "Compute infer", "Network, send"]) {
    await expect(times.getByText(phase, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("list", { name: "Sent before" }).getByText("random 1×784")).toBeVisible();

  // One stroke in the middle is a one.
  await page.getByLabel("Kind of image").selectOption("image");
  await expect(page.getByText("choose a picture", { exact: true })).toBeVisible();
  const stroke = png(28, (x, y) => x >= 13 && x <= 15 && y >= 4 && y <= 23);
  await page.getByLabel("picture for image").setInputFiles({ name: "one.png", mimeType: "image/png", buffer: stroke });
  await expect(page.getByText("one.png, 28 × 28 pixels")).toBeVisible();
  await page.getByLabel("Classes", { exact: true }).fill("3");
  await send(page).click();
  const classes = page.getByRole("region", { name: "Classes of probabilities" });
  await expect(classes.getByRole("row").nth(1)).toContainText("one");
  await checkLooks(page, "the playground with an answer");

  await page.getByLabel("Kind of image").selectOption("values");
  await page.getByLabel("Values of image").fill("[1, 2, 3]");
  await expect(page.getByText("the shape [1, 784] has room for 784 values, there are 3")).toBeVisible();
  await expect(send(page)).toHaveAttribute("aria-disabled", "true");
  await page.getByLabel("Values of image").fill(JSON.stringify(Array.from({ length: 784 }, () => 0.5)));
  await page.getByLabel("Classes", { exact: true }).fill("0");
  await page.getByText("gRPC", { exact: true }).click();
  await page.getByLabel("Repeat").fill("5");
  await page.getByLabel("Values of image").press("Control+Enter");
  await expect(times.getByText("The server tells the phases of a request over HTTP only.")).toBeVisible();
  await expect(times.getByText("p99")).toBeVisible();
  await expect(page).toHaveURL(/protocol=grpc/);
  await expect(page).toHaveURL(/inputs=values\.1x784/);

  // The history survives a reload, and brings a request back.
  await page.reload();
  await page
    .getByRole("list", { name: "Sent before" })
    .getByRole("button", { name: /random 1×784/ })
    .click();
  await expect(page.getByLabel("Kind of image")).toHaveValue("random");
  await expect(page.getByLabel("Seed")).toHaveValue("1");
});

test("what a model refuses is told with what to do", async ({ page }) => {
  await page.goto(web("/models/identity_fp32/playground?inputs=zeros.100x4"));
  await send(page).click();
  await expect(card(page, "Refused").getByText("INVALID_ARGUMENT")).toBeVisible();
  await expect(
    page.getByText(/Try this: send INPUT_FP32 as FP32 \[\?, \?\], the first size from 1 to 64/),
  ).toBeVisible();
  await checkLooks(page, "a refusal");
  await page.getByLabel("First size of INPUT_FP32, the batch").fill("2");
  await send(page).click();
  await expect(card(page, "Answer").getByText("FP32 [2, 4]")).toBeVisible();
});

test("a request is kept, run, deleted and brought back, copied, and sent from the command line", async ({ page }) => {
  const name = "two rows";
  await page.goto(web("/models/simple/playground?inputs=random.1x16~zeros.1x16"));
  await page.getByLabel("Keep this request as").fill(name);
  await page.getByRole("button", { name: "Keep", exact: true }).click();
  const fixtures = page.getByRole("list", { name: "Fixtures" });
  await expect(fixtures.getByText("INPUT0 [1, 16], INPUT1 [1, 16]")).toBeVisible();
  await page.getByRole("button", { name: `Run ${name}` }).click();
  await expect(card(page, "Answer").getByRole("region", { name: "Values of OUTPUT0" })).toBeVisible();
  await expect(page.getByLabel("Kind of INPUT0")).toHaveValue("values");

  const rest = web("/api/v1/models/simple/fixtures");
  const listed: readonly { readonly name: string }[] = await (await page.request.get(rest)).json();
  expect(listed.map((one) => one.name)).toEqual([name]);
  await page.getByRole("button", { name: `Delete ${name}` }).click();
  await expect(page.getByText("None is kept")).toBeVisible();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page.getByRole("button", { name: `Run ${name}` })).toBeVisible();

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "request.json" }).click();
  const file = join(tmpdir(), `nereid-e2e-request-${process.pid}.json`);
  await (await download).saveAs(file);
  const cli = join(import.meta.dirname, "../apps/cli/dist/nereid.js");
  const address = new URL(server("")).origin;
  const { stdout } = await run(process.execPath, [cli, "infer", "simple", `--file=${file}`, `--server=${address}`]);
  expect(JSON.parse(stdout)).toMatchObject({ model_name: "simple", outputs: [{ shape: [1, 16] }, { shape: [1, 16] }] });
  writeFileSync(file, '{"inputs":[]}');
  const refused = run(process.execPath, [cli, "infer", "simple", `--file=${file}`, `--server=${address}`]);
  await expect(refused).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("nereid: ") });
  rmSync(file);
});

test("a model that answers more than once is tried over both protocols, with the moments of its answers", async ({
  page,
}) => {
  const name = "e2e_counts";
  const folder = join(process.env["E2E_MODELS"] ?? "", name, "1");
  mkdirSync(folder, { recursive: true });
  const tensor = (tensorName: string) => `[ { name: "${tensorName}" data_type: TYPE_FP32 dims: [ 1 ] } ]`;
  writeFileSync(
    join(folder, "../config.pbtxt"),
    `backend: "javascript"\nmodel_transaction_policy { decoupled: true }\ninput ${tensor("X")}\noutput ${tensor("Y")}\n`,
  );
  writeFileSync(
    join(folder, "model.mjs"),
    `export async function execute(requests) {
  for (const request of requests) {
    for (let i = 0; i < 3; i++) await request.send({ outputs: { Y: { shape: [1], data: Float32Array.of(i + 0.5) } } });
    await request.end();
  }
}
`,
  );
  const loaded = await fetch(server(`/v2/repository/models/${name}/load`), { method: "POST", body: "{}" });
  expect(loaded.status, await loaded.text()).toBe(200);

  await page.goto(web(`/models/${name}/playground`));
  for (const protocol of ["HTTP", "gRPC"]) {
    await page.getByRole("radio", { name: protocol }).click();
    await send(page).click();
    await expect(card(page, "Answer").getByText(new RegExp(`over ${protocol}$`))).toBeVisible();
    const answers = page.getByRole("list", { name: "Answers in their order" }).getByRole("listitem");
    await expect(answers).toContainText(["Y: 0.5", "Y: 1.5", "Y: 2.5"]);
    await expect(card(page, "Where the time went").getByText("Answer 3")).toBeVisible();
  }
});

test("a sound becomes samples: one channel, cut or padded to the shape; what is no sound is said", async ({ page }) => {
  const name = "e2e_sound";
  await serveScript({ name, config: "", work: "" });
  await page.goto(web(`/models/${name}/playground?inputs=audio.6`));
  await expect(page.getByLabel("Kind of X")).toHaveValue("audio");
  const choose = page.getByLabel("sound for X");
  await choose.setInputFiles({ name: "no.wav", mimeType: "audio/wav", buffer: Buffer.from("not a sound") });
  await expect(page.getByText("no.wav is no sound that this browser can read")).toBeVisible();
  const buffer = wav(16_000, 4, [16_384, -8_192]);
  await choose.setInputFiles({ name: "tone.wav", mimeType: "audio/wav", buffer });
  await expect(page.getByText("tone.wav")).toBeVisible();
  await send(page).click();
  const values = page.getByRole("region", { name: "Values of Y" }).getByRole("row");
  await expect(values).toHaveCount(7);
  // The mean of 0.5 and -0.25, and silence behind it.
  for (const row of [1, 2, 3, 4]) await expect(values.nth(row)).toContainText("0.125");
  await expect(values.nth(6)).toContainText(/\[5\]\s*0$/);
  await unload(name);
});

test("a viewer looks and does not send", async ({ page, browser }) => {
  const context = await contextOf(browser, await makePerson(page.request, { name: "Vesna", role: "viewer" }));
  const viewer = await context.newPage();
  await viewer.goto(web("/models/mnist/playground"));
  await expect(send(viewer)).toHaveAttribute("aria-disabled", "true");
  await expect(viewer.getByText("Your role may look but not send requests.")).toBeVisible();
  await expect(viewer.getByLabel("Keep this request as")).toBeHidden();
  const answer = await context.request.post(web("/api/v1/models/mnist/try"), { data: { inputs: [] } });
  expect(answer.status()).toBe(403);
  await context.close();
});
