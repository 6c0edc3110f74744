import { setupStatus } from "@nereid/services";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { AuthFrame } from "../../../features/auth/auth-frame.tsx";
import { SignInForm } from "../../../features/auth/sign-in-form.tsx";
import { localPath } from "../../../server/local-path.ts";
import { getRuntime } from "../../../server/runtime.ts";
import { findActor } from "../../../server/session.ts";

export const metadata: Metadata = { title: "Sign in" };

export default async function SignInPage({ searchParams }: PageProps<"/sign-in">) {
  const next = localPath((await searchParams)["next"]);
  if ((await findActor(await headers())) !== null) redirect(next);
  if ((await setupStatus({ ctx: getRuntime() })).needed) redirect("/setup");
  return (
    <AuthFrame title="Sign in" lead="Accounts are made by your administrator.">
      <SignInForm next={next} />
    </AuthFrame>
  );
}
