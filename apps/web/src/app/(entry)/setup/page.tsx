import { setupStatus } from "@nereid/services";
import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthFrame } from "../../../features/auth/auth-frame.tsx";
import { SetupForm } from "../../../features/auth/setup-form.tsx";
import { getRuntime } from "../../../server/runtime.ts";

export const metadata: Metadata = { title: "Set up" };

export default async function SetupPage({ searchParams }: PageProps<"/setup">) {
  const { token } = await searchParams;
  if (!(await setupStatus({ ctx: getRuntime() })).needed) redirect("/sign-in");
  return (
    <AuthFrame
      title="Create the first administrator"
      lead="This works once, for whoever holds the server's setup token."
    >
      <SetupForm token={typeof token === "string" ? token : ""} />
    </AuthFrame>
  );
}
