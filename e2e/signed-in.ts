import { test as base } from "@playwright/test";
import { adminState } from "./product.ts";

/** A test whose page begins with the administrator's session. */
export const test = base.extend({
  storageState: async ({ baseURL: _none }, use) => use(adminState()),
});
