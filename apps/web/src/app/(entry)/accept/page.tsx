import { findInvitation, systemClock } from "@nereid/services";
import { Message } from "@nereid/ui";
import type { Metadata } from "next";
import { AcceptForm } from "../../../features/auth/accept-form.tsx";
import { AuthFrame } from "../../../features/auth/auth-frame.tsx";
import { getRuntime } from "../../../server/runtime.ts";

// The address has a secret in it: no other site shall be told of it.
export const metadata: Metadata = { title: "Join", referrer: "no-referrer" };

export default async function AcceptPage({ searchParams }: { readonly searchParams: Promise<{ token?: unknown }> }) {
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  const invitation = await findInvitation({ db: getRuntime().db, clock: systemClock }, given);
  if (invitation === null) {
    return (
      <AuthFrame title="This link is not valid" lead="It was used, withdrawn or is too old.">
        <Message kind="empty" title="Ask your administrator for a new one" />
      </AuthFrame>
    );
  }
  const joining = invitation.kind === "invite";
  return (
    <AuthFrame
      title={joining ? "Join this dashboard" : "Choose a new password"}
      lead={
        joining ? `You were invited as ${invitation.email}.` : `For ${invitation.email}. Your other sessions will end.`
      }
    >
      <AcceptForm token={given} email={invitation.email} name={joining ? invitation.name : undefined} />
    </AuthFrame>
  );
}
