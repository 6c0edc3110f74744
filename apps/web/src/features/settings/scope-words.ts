import type { Permission } from "@nereid/services";

/** What a permission lets its holder do, in a few words. */
export const SCOPE_WORDS: Readonly<Record<Permission, string>> = {
  "model.read": "see models, versions and configurations",
  "model.load": "load models and choose versions",
  "model.unload": "unload models",
  "model.deploy": "upload and publish",
  "model.configure": "change configurations",
  "model.delete": "delete versions and models",
  "metrics.read": "see metrics",
  "audit.read": "see the audit log",
  "key.manage": "make and revoke keys",
  "user.manage": "manage users, which is as much as an administrator",
};
