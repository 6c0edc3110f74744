export type SignInResult = { readonly ok: true } | { readonly ok: false; readonly message: string };

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
  if (response.ok) return { ok: true };
  if (response.status === 429) {
    const answer: unknown = await response.json().catch(() => null);
    const told = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : undefined;
    return { ok: false, message: typeof told === "string" ? told : "Too many tries. Wait a little." };
  }
  if (response.status >= 500) return { ok: false, message: "The dashboard failed to sign you in. Try again." };
  return { ok: false, message: "Email or password is wrong." };
}

/** Whether the session was ended. */
export async function signOut(): Promise<boolean> {
  return (await post("sign-out", {}))?.ok ?? false;
}
