import { randomUUID } from "node:crypto";
import { type APIRequestContext, type Browser, type BrowserContext, expect } from "@playwright/test";
import { waitsForPages } from "./hydrated.ts";
import { web } from "./product.ts";

export interface Person {
  readonly name: string;
  readonly email: string;
  readonly password: string;
}

/** A context without any session. */
export async function nobody(browser: Browser): Promise<BrowserContext> {
  return waitsForPages(await browser.newContext({ storageState: { cookies: [], origins: [] } }));
}

/** Makes an account through the REST API; `asAdmin` carries the administrator's session. */
export async function makePerson(
  asAdmin: APIRequestContext,
  { name, role }: { readonly name: string; readonly role: "viewer" | "operator" | "admin" },
): Promise<Person> {
  const person = { name, email: `${randomUUID()}@example.com`, password: `the password of ${name}` };
  const { email, password } = person;
  const invited = await asAdmin.post(web("/api/v1/users/invite"), { data: { name, email, role } });
  expect(invited.status(), await invited.text()).toBeLessThan(300);
  const { token }: { readonly token: string } = await invited.json();
  const accepted = await asAdmin.post(web("/api/v1/users/accept"), { data: { token, password, name } });
  expect(accepted.status(), await accepted.text()).toBeLessThan(300);
  return person;
}

/** A context in which the person is signed in. */
export async function contextOf(browser: Browser, { email, password }: Person): Promise<BrowserContext> {
  const context = await nobody(browser);
  const answer = await context.request.post(web("/api/auth/sign-in/email"), { data: { email, password } });
  expect(answer.status(), await answer.text()).toBe(200);
  return context;
}
