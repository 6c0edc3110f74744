import {
  acceptInput,
  acceptInvitation,
  changeUserInput,
  disableUser,
  enableUser,
  inviteInput,
  inviteUser,
  listInvitations,
  listSessions,
  listUsers,
  resetPassword,
  resetPasswordInput,
  revokeInvitation,
  revokeSession,
  revokeSessionInput,
  setRole,
  setRoleInput,
  userInput,
} from "@nereid/services";
import { z } from "zod";
import { accepted, changedRole, invitation, oneTimeLink, sessionRow, userRow } from "../rest/account-schemas.ts";
import { publicProcedure, router, viewerProcedure } from "../trpc.ts";

export const usersRouter = router({
  list: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/users",
        summary: "Every account",
        permission: "user.manage",
        output: { name: "Users", schema: z.array(userRow) },
      },
    })
    .query(({ ctx }) => listUsers({ ctx: ctx.service })),
  invite: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/users/invite",
        summary: "Make a link with which a new person joins",
        permission: "user.manage",
        output: { name: "OneTimeLink", schema: oneTimeLink },
      },
    })
    .input(inviteInput)
    .mutation(({ ctx, input }) => inviteUser({ ctx: ctx.service, input })),
  invitations: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/users/invitations",
        summary: "Links that can still be used",
        permission: "user.manage",
        output: { name: "Invitations", schema: z.array(invitation) },
      },
    })
    .query(({ ctx }) => listInvitations({ ctx: ctx.service })),
  revokeInvitation: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/users/invitations/{id}",
        summary: "Make a link void",
        permission: "user.manage",
      },
    })
    .input(changeUserInput)
    .mutation(({ ctx, input }) => revokeInvitation({ ctx: ctx.service, input })),
  accept: publicProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/users/accept",
        summary: "Spend a one-time link: join, or choose a new password",
        permission: "public",
        output: { name: "Accepted", schema: accepted },
      },
    })
    .input(acceptInput)
    .mutation(({ ctx, input }) => acceptInvitation({ ctx: { ...ctx.base, hashPassword: ctx.hashPassword }, input })),
  setRole: viewerProcedure
    .meta({
      rest: {
        method: "PUT",
        path: "/users/{id}/role",
        summary: "Give an account another role",
        permission: "user.manage",
        output: { name: "ChangedRole", schema: changedRole },
      },
    })
    .input(setRoleInput)
    .mutation(({ ctx, input }) => setRole({ ctx: ctx.service, input })),
  disable: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/users/{id}/disable",
        summary: "Keep an account from signing in; ends its sessions and keys",
        permission: "user.manage",
      },
    })
    .input(changeUserInput)
    .mutation(({ ctx, input }) => disableUser({ ctx: ctx.service, input })),
  enable: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/users/{id}/enable",
        summary: "Let a disabled account sign in again",
        permission: "user.manage",
      },
    })
    .input(changeUserInput)
    .mutation(({ ctx, input }) => enableUser({ ctx: ctx.service, input })),
  sessions: viewerProcedure
    .meta({
      rest: {
        method: "GET",
        path: "/users/{id}/sessions",
        summary: "Sessions of an account (administrators and the person itself)",
        permission: "session",
        output: { name: "Sessions", schema: z.array(sessionRow) },
      },
    })
    .input(userInput)
    .query(({ ctx, input }) => listSessions({ ctx: ctx.service, input })),
  revokeSession: viewerProcedure
    .meta({
      rest: {
        method: "DELETE",
        path: "/users/{id}/sessions/{sessionId}",
        summary: "End a session (administrators and the person itself)",
        permission: "session",
      },
    })
    .input(revokeSessionInput)
    .mutation(({ ctx, input }) => revokeSession({ ctx: ctx.service, input })),
  resetPassword: viewerProcedure
    .meta({
      rest: {
        method: "POST",
        path: "/users/{id}/reset",
        summary: "Make a link with which the person chooses a new password",
        permission: "user.manage",
        output: { name: "OneTimeLink", schema: oneTimeLink },
      },
    })
    .input(resetPasswordInput)
    .mutation(({ ctx, input }) => resetPassword({ ctx: ctx.service, input })),
});
