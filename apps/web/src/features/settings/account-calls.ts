export type Answer<Data> =
  | { readonly ok: true; readonly data: Data }
  | { readonly ok: false; readonly message: string };

/** One call of the sign-in library; what it says when it refuses is fit to be shown. */
export async function callAuth<Data>(path: string, body: object): Promise<Answer<Data>> {
  let response: Response;
  let answer: unknown;
  try {
    response = await fetch(`/api/auth/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    answer = await response.json().catch(() => null);
  } catch {
    return { ok: false, message: "The dashboard did not answer. Try again." };
  }
  if (response.ok) return { ok: true, data: answer as Data };
  const told = typeof answer === "object" && answer !== null && "message" in answer ? answer.message : undefined;
  return { ok: false, message: typeof told === "string" ? told : "It was refused. Check what you entered." };
}
