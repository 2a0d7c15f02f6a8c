import type { AgentExampleFilesTable, AgentExamplesTable } from './tables/agent-examples.ts';
import type { AgentExecutionsTable } from './tables/agent-executions.ts';
import type { AgentFilesTable, AgentVersionsTable } from './tables/agent-files.ts';
import type { AgentStatisticsTable } from './tables/agent-statistics.ts';
import type { AgentsTable } from './tables/agents.ts';
import type { ApiKeysTable } from './tables/api-keys.ts';
import type { AuditHeadTable } from './tables/audit-head.ts';
import type { AuditLogTable } from './tables/audit-log.ts';
import type { DetectionCausesTable } from './tables/detection-causes.ts';
import type { DetectionExceptionsTable } from './tables/detection-exceptions.ts';
import type { DetectionChangesTable, DetectionTriageTable } from './tables/detection-triage.ts';
import type { ExecutionFilesTable } from './tables/execution-files.ts';
import type { ExecutionSecretsTable } from './tables/execution-secrets.ts';
import type {
  ExecutionEventsTable,
  ExecutionIdempotencyTable,
  ExecutionSignalsTable,
  ExecutionTimersTable,
  ExecutionWaitsTable,
} from './tables/execution-signals.ts';
import type { ExecutionStepsTable } from './tables/execution-steps.ts';
import type { ExecutionChangesTable, ExecutionsTable, ExecutionTransitionsTable } from './tables/executions.ts';
import type { FileContentsTable } from './tables/file-contents.ts';
import type { JobsTable } from './tables/jobs.ts';
import type { OAuthIdentitiesTable } from './tables/oauth-identities.ts';
import type { OneTimeCodesTable } from './tables/one-time-codes.ts';
import type { OutputCursorsTable } from './tables/output-cursors.ts';
import type { OutputDeadLettersTable } from './tables/output-dead-letters.ts';
import type { OutputDetectionsTable, OutputMessagesTable } from './tables/output-messages.ts';
import type { OutputsTable } from './tables/outputs.ts';
import type { PageViewsTable } from './tables/page-views.ts';
import type { QuotaDefaultsTable, UserQuotasTable } from './tables/quotas.ts';
import type { ResetTokensTable } from './tables/reset-tokens.ts';
import type { DetectionSettingsHeadTable, RuleSettingsTable } from './tables/rule-settings.ts';
import type { SecretFingerprintsTable } from './tables/secret-fingerprints.ts';
import type { SessionsTable } from './tables/sessions.ts';
import type { SignInDecoysTable } from './tables/sign-in-attempts.ts';
import type { TriggerGatheredTable, TriggerInboxTable } from './tables/trigger-inbox.ts';
import type { UsersTable } from './tables/users.ts';
import type {
  TriggerOccurrencesTable,
  WorkflowTriggersTable,
  WorkflowTriggerVersionsTable,
} from './tables/workflow-triggers.ts';
import type { WorkflowVersionsTable } from './tables/workflow-versions.ts';
import type { WorkflowsTable } from './tables/workflows.ts';

/** Every table, by its name in TypeScript. */
export interface Tables {
  users: UsersTable;
  sessions: SessionsTable;
  apiKeys: ApiKeysTable;
  oneTimeCodes: OneTimeCodesTable;
  resetTokens: ResetTokensTable;
  signInDecoys: SignInDecoysTable;
  oauthIdentities: OAuthIdentitiesTable;
  auditLog: AuditLogTable;
  auditHead: AuditHeadTable;
  pageViews: PageViewsTable;
  jobs: JobsTable;
  outputCursors: OutputCursorsTable;
  outputs: OutputsTable;
  outputMessages: OutputMessagesTable;
  outputDetections: OutputDetectionsTable;
  outputDeadLetters: OutputDeadLettersTable;
  workflows: WorkflowsTable;
  workflowVersions: WorkflowVersionsTable;
  executionSecrets: ExecutionSecretsTable;
  agents: AgentsTable;
  agentVersions: AgentVersionsTable;
  agentFiles: AgentFilesTable;
  fileContents: FileContentsTable;
  agentExamples: AgentExamplesTable;
  agentExampleFiles: AgentExampleFilesTable;
  agentExecutions: AgentExecutionsTable;
  executionFiles: ExecutionFilesTable;
  agentStatistics: AgentStatisticsTable;
  executions: ExecutionsTable;
  executionTransitions: ExecutionTransitionsTable;
  executionChanges: ExecutionChangesTable;
  executionSteps: ExecutionStepsTable;
  executionTimers: ExecutionTimersTable;
  executionWaits: ExecutionWaitsTable;
  executionEvents: ExecutionEventsTable;
  executionSignals: ExecutionSignalsTable;
  executionIdempotency: ExecutionIdempotencyTable;
  workflowTriggers: WorkflowTriggersTable;
  workflowTriggerVersions: WorkflowTriggerVersionsTable;
  triggerOccurrences: TriggerOccurrencesTable;
  triggerInbox: TriggerInboxTable;
  triggerGathered: TriggerGatheredTable;
  detectionCauses: DetectionCausesTable;
  detectionTriage: DetectionTriageTable;
  detectionChanges: DetectionChangesTable;
  ruleSettings: RuleSettingsTable;
  detectionExceptions: DetectionExceptionsTable;
  detectionSettingsHead: DetectionSettingsHeadTable;
  quotaDefaults: QuotaDefaultsTable;
  userQuotas: UserQuotasTable;
  secretFingerprints: SecretFingerprintsTable;
}
