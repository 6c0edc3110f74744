import { test as base } from "@playwright/test";
import { waitsForPages } from "./hydrated.ts";
import { adminState } from "./product.ts";

/** A test whose page begins with the administrator's session, and whose pages are there for a reader when `goto` and `reload` resolve. */
export const test = base.extend({
  storageState: async ({ baseURL: _none }, use) => use(adminState()),
  context: async ({ context }, use) => use(waitsForPages(context)),
});
