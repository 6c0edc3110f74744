import { type Browser, expect, type Page } from "@playwright/test";
import { serveCopy } from "./models.ts";
import { contextOf, makePerson, nobody } from "./people.ts";
import { web } from "./product.ts";
import { test } from "./signed-in.ts";

const SOMEBODY = "somebody";
const NAME = "e2e_roles";

/** What each change is asked with; a change that is missing here fails the test, so that a new one is not forgotten. */
const CHANGES: Readonly<Record<string, object>> = {
  "alerts.acknowledge": { id: "none" },
  "alerts.removeChannel": { id: "none" },
  "alerts.saveChannel": { name: "pager", url: "https://example.com/hook", severities: ["page"] },
  "alerts.testChannel": { id: "none" },
  "batching.operate": { name: NAME, instance: "0", action: "drain" },
  "config.save": { name: NAME, text: "max_batch_size: 1", ifDigest: "0".repeat(64) },
  "config.restore": { name: NAME, id: "none", ifDigest: "0".repeat(64) },
  "diagnose.keep": { model: NAME },
  "deploy.open": { model: NAME },
  "deploy.edit": { id: "none", version: "7" },
  "deploy.check": { id: "none" },
  "deploy.publish": { id: "none", load: true },
  "deploy.discard": { id: "none" },
  "experiments.start": {
    spec: {
      model: NAME,
      hypothesis: "none",
      load: { kind: "concurrency", level: 1 },
      baseline: { text: "", digest: "" },
      change: { text: "max_batch_size: 8" },
    },
  },
  "experiments.decide": { id: "none", decision: "revert" },
  "fixtures.save": { model: NAME, name: "one", request: { inputs: [] } },
  "fixtures.remove": { model: NAME, name: "one" },
  "keys.create": { name: "mine", scopes: ["model.read"] },
  "keys.revoke": { id: "none" },
  "loadTests.start": { spec: { model: NAME, load: { kind: "concurrency", from: 1, to: 1 } } },
  "lab.cancel": { id: "none" },
  "lab.note": { id: "none", note: "mine" },
  "models.load": { name: NAME },
  "models.cancelLoad": { name: NAME },
  "models.profile": { name: NAME, seconds: 1 },
  "models.unload": { name: NAME },
  "models.remove": { name: NAME, confirm: NAME },
  "nodes.add": { name: "another", kind: "nereid", url: "http://127.0.0.1:9" },
  "nodes.edit": { id: "none", name: "another", kind: "nereid", url: "http://127.0.0.1:9" },
  "nodes.remove": { id: "none" },
  "nodes.test": { kind: "nereid", url: "http://127.0.0.1:9" },
  "nodes.cordon": { id: "local", cordoned: true },
  "nodes.drain": { id: "local", draining: true },
  "playground.send": { model: NAME, inputs: [] },
  "rollouts.start": { model: NAME, baseline: "1", candidate: "2" },
  "rollouts.operate": { id: "none", action: "abort" },
  "settings.saveRetention": { historyDays: 7 },
  "slos.remove": { id: "none" },
  "slos.save": { name: "fast", model: NAME, latencyMs: 50, objective: 0.99, windowDays: 7 },
  "shadow.start": { name: NAME, target: "1", percent: 10 },
  "shadow.stop": { name: NAME },
  "traffic.divide": { name: NAME, weights: { "1": 1 } },
  "tunings.start": {
    spec: {
      model: NAME,
      load: { kind: "concurrency", levels: [1] },
      space: { instances: [1], maxBatchSizes: [1], queueDelaysUs: [null] },
    },
  },
  "users.invite": { email: "friend@example.com", name: "Friend", role: "admin" },
  "users.revokeInvitation": { id: "none" },
  "users.setRole": { id: SOMEBODY, role: "admin" },
  "users.disable": { id: SOMEBODY },
  "users.enable": { id: SOMEBODY },
  "users.revokeSession": { id: SOMEBODY, sessionId: "none" },
  "users.resetPassword": { id: SOMEBODY },
  "versions.load": { name: NAME, version: "1" },
  "versions.unload": { name: NAME, version: "1" },
  "versions.pin": { name: NAME, versions: ["1"] },
  "versions.rollback": { name: NAME, to: "1" },
  "versions.remove": { name: NAME, version: "1", confirm: `${NAME}/1` },
};

/** Changes that anybody may ask for: they need a token of their own, or change nothing. */
const FREE = [
  "config.check",
  "settings.savePreferences",
  "views.save",
  "views.rename",
  "views.remove",
  "diagnose.run",
  "slos.preview",
  "setup.redeem",
  "users.accept",
];

interface Operation {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
}

async function changesOf(page: Page): Promise<readonly Operation[]> {
  const document: { readonly paths: Record<string, Record<string, { readonly operationId: string }>> } = await (
    await page.request.get(web("/api/v1/openapi.json"))
  ).json();
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => ["post", "put", "patch", "delete"].includes(method))
      .map(([method, { operationId }]) => ({ operationId, method: method.toUpperCase(), path })),
  );
}

/** A request of the page itself, with its cookie and its origin. */
function ask(page: Page, request: { readonly url: string; readonly method?: string; readonly body?: object }) {
  return page.evaluate(async ({ url, method = "GET", body }) => {
    const response = await fetch(url, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
    });
    const text = response.headers.get("content-type")?.includes("json") === true ? await response.text() : "";
    return { status: response.status, text };
  }, request);
}

/** Follows a one-time link in a browser of its own and chooses a password. */
async function accept(browser: Browser, link: string): Promise<Page> {
  const context = await nobody(browser);
  const page = await context.newPage();
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByLabel("Password again").fill("a long enough password");
  await page.getByRole("button", { name: "Join" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  return page;
}

test("an administrator invites; who accepts the link has the role and no more, and the link works once", async ({
  page,
  browser,
}) => {
  const unique = Date.now().toString(36);
  const invite = async (name: string, role: "viewer" | "operator") => {
    await page.goto(web("/settings/users"));
    await page.getByLabel("Name", { exact: true }).fill(name);
    await page.getByLabel("Email").fill(`${role}.${unique}@example.com`);
    await page.getByLabel("Role", { exact: true }).selectOption(role);
    await page.getByRole("button", { name: "Make the link" }).click();
    const dialog = page.getByRole("dialog");
    const link = await dialog.getByText(/\/accept\?token=/).innerText();
    await dialog.getByRole("button", { name: "I have kept it" }).click();
    await expect(page.getByText(`invited as ${role}`).first()).toBeVisible();
    return link;
  };
  const link = await invite("Vera", "viewer");
  const viewer = await accept(browser, link);
  await viewer.getByRole("button", { name: "Vera" }).click();
  await expect(viewer.getByText("Role: viewer")).toBeVisible();
  const again = await nobody(browser);
  const spent = await again.newPage();
  await spent.goto(link);
  await expect(spent.getByRole("button", { name: "Join" })).toBeHidden();

  const operator = await accept(browser, await invite("Otto", "operator"));
  await operator.goto(web("/models/mnist"));
  await operator.getByRole("button", { name: "Reload mnist" }).click();
  await expect(operator.getByText("mnist is loaded")).toBeVisible();
  await operator.goto(web("/settings/users"));
  await expect(operator.getByText("Only administrators manage users")).toBeVisible();
  await Promise.all([viewer, operator, spent].map((opened) => opened.context().close()));
});

test("a viewer finds no way to change anything on the pages", async ({ page, browser }) => {
  await serveCopy("digits_cnn", NAME);
  const context = await contextOf(browser, await makePerson(page.request, { name: "Viola", role: "viewer" }));
  const viewer = await context.newPage();

  await viewer.goto(web("/models"));
  const unload = viewer.getByRole("button", { name: "Unload mnist", exact: true });
  await expect(unload).toHaveAttribute("aria-disabled", "true");
  // What the server sent is seen before it listens.
  await expect(async () => {
    await unload.blur();
    await unload.focus();
    await expect(viewer.getByRole("tooltip")).toContainText("Your role may look but not change models.", {
      timeout: 1_000,
    });
  }).toPass();
  await viewer.keyboard.press("Enter");
  await expect(viewer.getByRole("alertdialog")).toBeHidden();
  await expect(viewer.getByRole("main").getByRole("link", { name: "Deploy" })).toBeHidden();

  await viewer.goto(web("/deploy"));
  await expect(viewer.getByText("Your role may not deploy models")).toBeVisible();
  await expect(viewer.getByText("Drop a model here")).toBeHidden();

  await viewer.goto(web(`/models/${NAME}/config`));
  await expect(viewer.getByText(/may read configurations but not change them/)).toBeVisible();
  const editor = viewer.getByRole("textbox", { name: `Configuration of ${NAME}` });
  await editor.focus();
  const text = await editor.innerText();
  await viewer.keyboard.insertText("x");
  expect(await editor.innerText()).toBe(text);
  await expect(viewer.getByRole("button", { name: "Review and apply" })).toHaveAttribute("aria-disabled", "true");
  await expect(viewer.getByText("Your role may not change it.")).toBeVisible();

  await viewer.goto(web(`/models/${NAME}/versions`));
  for (const name of [/^Divide traffic/, /^Roll back/, /^Unload version 1/, /^Delete version 1/]) {
    await expect(viewer.getByRole("button", { name }).first()).toHaveAttribute("aria-disabled", "true");
  }

  await viewer.goto(web("/settings/keys"));
  await expect(viewer.getByText("Your role may not make keys")).toBeVisible();
  await viewer.goto(web("/settings/users"));
  await expect(viewer.getByText("Only administrators manage users")).toBeVisible();
  await context.close();
});

test("a viewer who asks past the pages is refused every change, one by one and in a batch", async ({
  page,
  browser,
}) => {
  const context = await contextOf(browser, await makePerson(page.request, { name: "Vito", role: "viewer" }));
  const viewer = await context.newPage();
  await viewer.goto(web("/audit"));
  const all = await changesOf(viewer);
  const changes = all.filter(({ operationId }) => !FREE.includes(operationId) && !operationId.startsWith("uploads."));
  expect(changes.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(CHANGES).sort());
  const { actor }: { readonly actor: { readonly id: string } } = await (
    await page.request.get(web("/api/v1/me"))
  ).json();
  const inputOf = (name: string) => JSON.parse(JSON.stringify(CHANGES[name]).replaceAll(SOMEBODY, actor.id));

  const answers: Record<string, number> = {};
  for (const { operationId, method, path } of changes) {
    const input: Record<string, string> = inputOf(operationId);
    const trpc = await ask(viewer, { url: `/api/trpc/${operationId}`, method: "POST", body: { json: input } });
    answers[`tRPC ${operationId}`] = trpc.status;
    const filled = path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(input[key] ?? "none"));
    const url = filled.startsWith("/api/v1") ? filled : `/api/v1${filled}`;
    answers[`${method} ${path}`] = (await ask(viewer, { url, method, body: input })).status;
  }
  for (const { method, path } of all.filter(({ operationId }) => operationId.startsWith("uploads."))) {
    const url = `/api/v1${path.replace(/^\/api\/v1/, "").replace("{id}", "none")}`;
    answers[`${method} ${path}`] = (await ask(viewer, { url, method })).status;
  }
  expect(Object.entries(answers).filter(([, status]) => status !== 403)).toEqual([]);
  expect(Object.keys(answers).length).toBeGreaterThan(45);

  const batch = ["models.unload", "config.check", "users.setRole"];
  const body = {
    0: { json: inputOf("models.unload") },
    1: { json: { name: "mnist", text: "max_batch_size: 1" } },
    2: { json: inputOf("users.setRole") },
  };
  const batched = await ask(viewer, { url: `/api/trpc/${batch.join(",")}?batch=1`, method: "POST", body });
  const parts: readonly { readonly error?: { readonly json: { readonly data: { readonly code: string } } } }[] =
    JSON.parse(batched.text);
  expect(parts.map(({ error }) => error?.json.data.code ?? "OK")).toEqual(["FORBIDDEN", "OK", "FORBIDDEN"]);

  for (const list of ["users", "users/invitations", "keys", `users/${actor.id}/sessions`]) {
    expect((await ask(viewer, { url: `/api/v1/${list}` })).status, list).toBe(403);
  }
  // What the role may read it may also take with it.
  expect((await ask(viewer, { url: "/api/v1/models/mnist/versions/1/archive" })).status).toBe(200);
  expect((await ask(viewer, { url: "/api/v1/audit/export?format=csv" })).status).toBe(200);
  await context.close();
});

test("without a session nothing is let out or in", async ({ page, browser }) => {
  const all = await changesOf(page);
  const context = await nobody(browser);
  const answers: Record<string, number> = {};
  const note = async (what: string, url: string, init: { method: string; data?: object }) => {
    answers[what] = (await context.request.fetch(web(url), init)).status();
  };
  for (const { operationId } of all.filter(({ operationId: name }) => name in CHANGES)) {
    await note(operationId, `/api/trpc/${operationId}`, { method: "POST", data: { json: CHANGES[operationId] } });
  }
  await note("upload", "/api/v1/uploads", { method: "POST" });
  await note("archive", "/api/v1/models/mnist/versions/1/archive", { method: "GET" });
  await note("export", "/api/v1/audit/export", { method: "GET" });
  await note("models", "/api/v1/models", { method: "GET" });
  expect(Object.entries(answers).filter(([, status]) => status !== 401)).toEqual([]);
  await context.close();
});

test("a session that is ended from another browser is signed out", async ({ page, browser }) => {
  const person = await makePerson(page.request, { name: "Rosa", role: "operator" });
  const lost = await contextOf(browser, person);
  const forgotten = await lost.newPage();
  await forgotten.goto(web("/models"));
  await expect(forgotten.getByRole("heading", { name: "Models", level: 1 })).toBeVisible();

  const present = await contextOf(browser, person);
  const here = await present.newPage();
  await here.goto(web("/settings/account"));
  await here.getByRole("button", { name: "End", exact: true }).click();
  await expect(here.getByRole("button", { name: "End", exact: true })).toBeHidden();
  await expect(here.getByText("this one")).toBeVisible();

  await forgotten.goto(web("/audit"));
  await expect(forgotten).toHaveURL(/\/sign-in/);
  expect((await lost.request.get(web("/api/v1/me"))).status()).toBe(401);
  expect((await present.request.get(web("/api/v1/me"))).status()).toBe(200);
  await Promise.all([lost.close(), present.close()]);
});
