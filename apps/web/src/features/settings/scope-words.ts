import type { Permission } from "@nereid/services";

/** What a permission lets its holder do, in a few words. */
export const SCOPE_WORDS: Readonly<Record<Permission, string>> = {
  "model.read": "see models, versions and configurations",
  "model.load": "load models and choose versions",
  "model.unload": "unload models",
  "model.deploy": "upload and publish",
  "model.configure": "change configurations",
  "model.delete": "delete versions and models",
  "model.infer": "send requests from the playground",
  "metrics.read": "see metrics",
  "logs.read": "see logs",
  "slo.manage": "set objectives",
  "alert.acknowledge": "acknowledge alerts",
  "rollout.manage": "start and operate rollouts",
  "lab.run": "run load tests, tunings and experiments",
  "channel.manage": "choose where alerts are sent",
  "node.operate": "drain and cordon nodes",
  "node.manage": "add and remove nodes",
  "settings.manage": "change settings of the installation",
  "audit.read": "see the audit log",
  "key.manage": "make and revoke keys",
  "user.manage": "manage users, which is as much as an administrator",
};
