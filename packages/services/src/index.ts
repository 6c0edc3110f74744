export { type Actor, accountOfActor, ROLES, type Role, toRole } from "./access/actor.ts";
export { ALL_PERMISSIONS, authorise, can, type Permission, permissionsOf } from "./access/permissions.ts";
export type { AlertRecord } from "./alerts/alert-record.ts";
export { AlertWatch } from "./alerts/alert-watch.ts";
export { acknowledgeAlert, acknowledgeAlertInput, listAlerts, listAlertsInput } from "./alerts/alerts.ts";
export {
  type ChannelRecord,
  channelInput,
  listChannels,
  removeChannel,
  type SavedChannel,
  saveChannel,
  saveChannelInput,
  testChannel,
} from "./alerts/channels.ts";
export { findReceiver } from "./alerts/find-receiver.ts";
export { postMessage } from "./alerts/post-message.ts";
export { chainOldRows } from "./audit/chain-old-rows.ts";
export { exportAudit, exportAuditInput } from "./audit/export-audit.ts";
export { type AuditFilter, type AuditPage, auditFilter, listAudit, listAuditInput } from "./audit/list-audit.ts";
export { type AuditContext, type AuditEntry, recordAudit } from "./audit/record-audit.ts";
export { type AuditVerdict, verifyAudit } from "./audit/verify-audit.ts";
export type { BatchingSecond } from "./batching/batching-second.ts";
export { batchingInput, getBatching, type ModelBatching } from "./batching/get-batching.ts";
export { operateInstance, operateInstanceInput } from "./batching/operate-instance.ts";
export { simulateBatching, simulateBatchingInput } from "./batching/simulate-batching.ts";
export type { WaitBin } from "./batching/wait-bins.ts";
export { type Clock, systemClock } from "./clock.ts";
export { applyConfig, applyConfigInput, type ConfigAppliedWithHistory } from "./config/apply-config.ts";
export { checkConfig, checkConfigInput } from "./config/check-config.ts";
export type { ConfigSource } from "./config/config-history.ts";
export { type ConfigWithHistory, getConfig } from "./config/get-config.ts";
export {
  type ConfigHistoryEntry,
  type ConfigHistoryPage,
  configEntryInput,
  configHistoryInput,
  getConfigEntry,
  listConfigHistory,
} from "./config/list-history.ts";
export { restoreConfig, restoreConfigInput } from "./config/restore-config.ts";
export type { AlertSending, BaseContext, InferenceNode, ServiceContext } from "./context.ts";
export {
  changeDraftInput,
  checkDraft,
  discardDraft,
  draftInput,
  editDraft,
  editDraftInput,
  getDraft,
  listDrafts,
  openDraft,
  openDraftInput,
} from "./deploy/drafts.ts";
export { publishDraft, publishDraftInput } from "./deploy/publish-draft.ts";
export { diagnoseInput, diagnoseModel } from "./diagnose/diagnose-model.ts";
export {
  getDiagnosis,
  keepDiagnosis,
  keptDiagnosesInput,
  keptDiagnosisInput,
  listDiagnoses,
} from "./diagnose/kept-diagnoses.ts";
export { type DiagnosisReport, diagnosisReport, type KeptDiagnosis, keptDiagnosis } from "./diagnose/report-schema.ts";
export { thresholds } from "./diagnose/thresholds.ts";
export { SYMPTOMS, type Symptom } from "./diagnose/trees.ts";
export type { EvidenceChart } from "./diagnose/verdict.ts";
export { EVENT_KINDS, type EventKind, type ModelEvent } from "./events/event-kinds.ts";
export { listEvents, listEventsInput } from "./events/list-events.ts";
export { listTimeline, listTimelineInput, type Timeline } from "./events/list-timeline.ts";
export { getGraph, type ModelGraph, type VersionGraph } from "./graph/get-graph.ts";
export { createHistory, type History, type HistoryOptions } from "./history/create-history.ts";
export { getHistory, type HistoryTotals, historyInput, type ModelHistory } from "./history/get-history.ts";
export type { HeatBins } from "./history/heat-bins.ts";
export type {
  HistoryAnswer,
  HistoryPoint,
  HistoryQuery,
  HistoryReader,
  HistorySeries,
  NodeHistory,
  NodePoint,
} from "./history/history-reader.ts";
export type { HistoryRow } from "./history/history-row.ts";
export { ALL_MODELS, historyDaysOf } from "./history/history-store.ts";
export { prometheusReader } from "./history/prometheus-reader.ts";
export { addSums, NO_SUMS, type SeriesSums } from "./history/series-sums.ts";
export { DEFAULT_HISTORY_DAYS } from "./history/step-tiers.ts";
export {
  createKey,
  createKeyInput,
  KEY_PREFIX,
  type KeyRow,
  listKeys,
  revokeKey,
  revokeKeyInput,
} from "./keys/api-keys.ts";
export { authenticateKey } from "./keys/authenticate-key.ts";
export { cancelLabJob, cancelLabJobInput } from "./lab/cancel-lab-job.ts";
export { LabController } from "./lab/controller/lab-controller.ts";
export {
  decideExperiment,
  decideExperimentInput,
  type ExperimentDecision,
} from "./lab/experiments/decide-experiment.ts";
export { startExperiment, startExperimentInput } from "./lab/experiments/start-experiment.ts";
export { getLabJob, getLabJobInput } from "./lab/get-lab-job.ts";
export { LAB_PHASES, type LabJobSummary, type LabJobView, type LabPhase, labState } from "./lab/lab-job.ts";
export { LAB_KINDS, type LabKind, type LabTarget, type LabTask, type LabWorker } from "./lab/lab-task.ts";
export { type LabJobPage, listLabJobs, listLabJobsInput } from "./lab/list-lab-jobs.ts";
export { startLoadTest, startLoadTestInput } from "./lab/load-tests/start-load-test.ts";
export { noteLabJob, noteLabJobInput } from "./lab/note-lab-job.ts";
export { startTuning, startTuningInput } from "./lab/tunings/start-tuning.ts";
export { listLogs } from "./logs/list-logs.ts";
export { listLogsInput, logFilterInput } from "./logs/log-input.ts";
export { streamLogs } from "./logs/stream-logs.ts";
export { getMemory } from "./memory/get-memory.ts";
export type { NodeConnection } from "./metrics/connection.ts";
export type { LatencyRow } from "./metrics/latency-row.ts";
export { MetricsHub, type MetricsHubOptions } from "./metrics/metrics-hub.ts";
export type { ModelSummary } from "./metrics/model-summary.ts";
export { type RecentLatency, recentLatency, recentLatencyInput } from "./metrics/recent-latency.ts";
export { type LatencyEvent, streamLatency, streamLatencyInput } from "./metrics/stream-latency.ts";
export { type SummariesEvent, streamSummaries } from "./metrics/stream-summaries.ts";
export type { WindowFigures } from "./metrics/window-figures.ts";
export { cancelLoad } from "./models/cancel-load.ts";
export { divideTraffic, divideTrafficInput } from "./models/divide-traffic.ts";
export { getModel, type ModelDetail, type TensorSignature } from "./models/get-model.ts";
export { getTraffic } from "./models/get-traffic.ts";
export { listModels } from "./models/list-models.ts";
export { loadModel } from "./models/load-model.ts";
export { changeModelInput, changeVersionInput, modelInput, versionInput } from "./models/model-name.ts";
export { profileModel, profileModelInput } from "./models/profile-model.ts";
export { profileTrace, profileTraceInput } from "./models/profile-trace.ts";
export { removeModel, removeModelInput } from "./models/remove-model.ts";
export { unloadModel } from "./models/unload-model.ts";
export {
  capabilitiesOf,
  inability,
  NODE_ABILITIES,
  type NodeAbility,
  type NodeCapabilities,
} from "./nodes/capabilities.ts";
export { checkedBuckets } from "./nodes/checked-buckets.ts";
export { type ConnectOptions, connectNode, type NodeLink } from "./nodes/connect-node.ts";
export { findNode } from "./nodes/find-node.ts";
export type { NodeStep } from "./nodes/fold-readings.ts";
export { getNode, type NodeDetail } from "./nodes/get-node.ts";
export { listNodeChoices, listNodes, type NodeChoice, type NodeRow } from "./nodes/list-nodes.ts";
export { addNode, editNode, removeNode } from "./nodes/manage-nodes.ts";
export { LOCAL_NODE, type ManagedNode, type NodeControl, type NodeKind, type NodeSpec } from "./nodes/managed-node.ts";
export { type ModelOnNode, modelOnNodes } from "./nodes/model-on-nodes.ts";
export type { NodeFacts } from "./nodes/node-facts.ts";
export type { NodeFigures } from "./nodes/node-figures.ts";
export { type HubCompanion, NodeHubs, type NodeHubsOptions } from "./nodes/node-hubs.ts";
export {
  addNodeInput,
  cordonNodeInput,
  drainNodeInput,
  editNodeInput,
  nodeInput,
  removeNodeInput,
  testNodeInput,
} from "./nodes/node-input.ts";
export { type NodeReadings, nodeReadings, nodeReadingsInput } from "./nodes/node-readings.ts";
export { cordonNode, drainNode } from "./nodes/operate-node.ts";
export { type NodeProbe, probeNode } from "./nodes/probe-node.ts";
export { localSpec, readSpecs, type SpecSource } from "./nodes/read-specs.ts";
export { createSecretBox, type SecretBox } from "./nodes/secret-box.ts";
export { getOverview, type Overview, overviewInput } from "./overview/get-overview.ts";
export type { Health } from "./overview/health.ts";
export type { Tile, Tiles } from "./overview/tiles.ts";
export type { WorstModel } from "./overview/worst-models.ts";
export { invalidInput } from "./parse-input.ts";
export {
  type FixtureRecord,
  type FixtureRow,
  fixtureInput,
  fixturesInput,
  getFixture,
  listFixtures,
  removeFixture,
  saveFixture,
  saveFixtureInput,
} from "./playground/fixtures.ts";
export type { TryClass, TryOutput, TryValue } from "./playground/read-output.ts";
export type { ServerPhases } from "./playground/server-timing.ts";
export { type TryRequest, type TryTensor, tryInput, tryRequest } from "./playground/try-input.ts";
export { type TryAnswer, type TryFailure, type TryResult, type TryStep, tryModel } from "./playground/try-model.ts";
export { getPreferences, type Preferences, preferences, savePreferences } from "./preferences/preferences.ts";
export {
  listViews,
  removeView,
  renameView,
  renameViewInput,
  type SavedView,
  saveView,
  saveViewInput,
  viewInput,
} from "./preferences/saved-views.ts";
export { findRequests, findRequestsInput } from "./requests/find-requests.ts";
export { ROLLOUT_COMMANDS, type RolloutCommand } from "./rollouts/command-rollout.ts";
export { RolloutController } from "./rollouts/controller/rollout-controller.ts";
export type { GateReading } from "./rollouts/gates/judge-gate.ts";
export {
  getRollout,
  listRollouts,
  listRolloutsInput,
  type RolloutSummary,
  type RolloutView,
  rolloutInput,
} from "./rollouts/get-rollout.ts";
export { operateRollout, operateRolloutInput } from "./rollouts/operate-rollout.ts";
export { rolloutEntry } from "./rollouts/rollout-record.ts";
export {
  DEFAULT_GATES,
  DEFAULT_STEPS,
  type RolloutGate,
  type RolloutStep,
  rolloutSpec,
  startRolloutInput,
} from "./rollouts/rollout-spec.ts";
export { ROLLOUT_PHASES, type RolloutPhase, rolloutState } from "./rollouts/rollout-state.ts";
export { startRollout } from "./rollouts/start-rollout.ts";
export { getRetention, type Retention, saveRetention, saveRetentionInput } from "./settings/retention.ts";
export { createFirstAdmin, firstAdminInput, type SetupContext } from "./setup/create-first-admin.ts";
export { createSetupToken } from "./setup/create-setup-token.ts";
export { redeemSetupToken, redeemSetupTokenInput } from "./setup/redeem-setup-token.ts";
export { setupStatus } from "./setup/setup-status.ts";
export { startShadow, stopShadow } from "./shadow/change-shadow.ts";
export { getShadow, type ShadowView } from "./shadow/get-shadow.ts";
export { startShadowInput, stopShadowInput } from "./shadow/shadow-input.ts";
export { getShapes } from "./shapes/get-shapes.ts";
export { type SloInput, type SloRecord, sloInput } from "./slos/slo-input.ts";
export type { SloStanding } from "./slos/slo-status.ts";
export {
  listSlos,
  listSlosInput,
  previewSlo,
  removeSlo,
  removeSloInput,
  type SloWithStanding,
  saveSlo,
  saveSloInput,
} from "./slos/slos.ts";
export { acceptInput, acceptInvitation, findInvitation, type OpenInvitation } from "./users/accept-invitation.ts";
export { disableUser, enableUser, setRole, setRoleInput } from "./users/change-account.ts";
export {
  type InvitationRow,
  inviteInput,
  inviteUser,
  listInvitations,
  type OneTimeLink,
  resetPassword,
  resetPasswordInput,
  revokeInvitation,
} from "./users/invitations.ts";
export { hasTwoFactor, listUsers, type UserRow } from "./users/list-users.ts";
export { listSessions, revokeSession, revokeSessionInput, type SessionRow } from "./users/sessions.ts";
export { changeUserInput, userInput } from "./users/user-input.ts";
export {
  type ChangedVersions,
  loadVersion,
  pinVersions,
  pinVersionsInput,
  removeVersion,
  removeVersionInput,
  unloadVersion,
} from "./versions/change-version.ts";
export type { FileDifference, TensorDifference } from "./versions/compare-versions.ts";
export {
  compareVersionsInput,
  getComparison,
  type VersionComparison,
  type VersionLatency,
} from "./versions/get-comparison.ts";
export { listVersions, type VersionRow } from "./versions/list-versions.ts";
export { openArchive } from "./versions/open-archive.ts";
export { type RolledBack, rollback, rollbackInput } from "./versions/rollback.ts";
