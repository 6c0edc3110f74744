export type {
  Alert,
  AlertChannel,
  AlertDelivery,
  ApiKey,
  AuditEvent,
  ConfigEntry,
  Deployment,
  Diagnosis,
  Fixture,
  Invitation,
  LabJob,
  MetricChunk,
  Node,
  Preference,
  Rollout,
  Slo,
  User,
} from "../generated/sqlite/client.ts";
export { createDatabase, type Database, type Transaction } from "./create-database.ts";
export { type Dialect, dialectOf, sqlitePath } from "./dialect.ts";
export { isBusy } from "./is-busy.ts";
export { isUniqueViolation } from "./is-unique-violation.ts";
export { type ApplyMigrationsOptions, applyMigrations } from "./migrate/apply-migrations.ts";
