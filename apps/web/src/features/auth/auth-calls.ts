export type SignInResult =
  | { readonly ok: true }
  /** The password was right; a code of the second factor is wanted. */
  | { readonly ok: "second-step" }
  | { readonly ok: false; readonly message: string };

async function post(path: string, body: unknown): Promise<Response | undefined> {
  try {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    return await fetch(`/api/auth/${path}`, init);
  } catch {
    return undefined;
  }
}

/** Signs in with a password; the session comes as a cookie. */
export async function signIn(credentials: { email: string; password: string }): Promise<SignInResult> {
  const response = await post("sign-in/email", credentials);
  if (response === undefined) return { ok: false, message: "The dashboard did not answer. Try again." };
  if (response.ok) return { ok: (await textField(response, "twoFactorRedirect")) === undefined ? true : "second-step" };
  if (response.status === 403) return { ok: false, message: (await told(response)) ?? "This account may not sign in." };
  return refusal(response, "Email or password is wrong.");
}

/** The second step of a sign-in: a code of the authenticator app, or one of the backup codes. */
export async function signInWithCode(input: {
  readonly code: string;
  readonly backup: boolean;
}): Promise<SignInResult> {
  const path = input.backup ? "two-factor/verify-backup-code" : "two-factor/verify-totp";
  const response = await post(path, { code: input.code.replaceAll(/\s/g, "") });
  if (response === undefined) return { ok: false, message: "The dashboard did not answer. Try again." };
  if (response.ok) return { ok: true };
  return refusal(response, "The code is not right. Codes of an app change every 30 seconds.");
}

async function refusal(response: Response, otherwise: string): Promise<SignInResult> {
  if (response.status === 429)
    return { ok: false, message: (await told(response)) ?? "Too many tries. Wait a little." };
  if (response.status >= 500) return { ok: false, message: "The dashboard failed to sign you in. Try again." };
  return { ok: false, message: otherwise };
}

async function told(response: Response): Promise<string | undefined> {
  return textField(response, "message");
}

async function textField(response: Response, name: string): Promise<string | undefined> {
  const answer: unknown = await response.json().catch(() => null);
  const value: unknown = typeof answer === "object" && answer !== null ? Reflect.get(answer, name) : undefined;
  return value === undefined || value === false ? undefined : String(value);
}

/** Whether the session was ended. */
export async function signOut(): Promise<boolean> {
  return (await post("sign-out", {}))?.ok ?? false;
}
