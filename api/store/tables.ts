import type { ApiKeysTable } from './tables/api-keys.ts';
import type { AuditHeadTable } from './tables/audit-head.ts';
import type { AuditLogTable } from './tables/audit-log.ts';
import type { ExecutionSecretsTable } from './tables/execution-secrets.ts';
import type { JobsTable } from './tables/jobs.ts';
import type { OAuthIdentitiesTable } from './tables/oauth-identities.ts';
import type { OneTimeCodesTable } from './tables/one-time-codes.ts';
import type { OutputCursorsTable } from './tables/output-cursors.ts';
import type { PageViewsTable } from './tables/page-views.ts';
import type { ResetTokensTable } from './tables/reset-tokens.ts';
import type { SessionsTable } from './tables/sessions.ts';
import type { SignInDecoysTable } from './tables/sign-in-attempts.ts';
import type { UsersTable } from './tables/users.ts';
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
  workflows: WorkflowsTable;
  workflowVersions: WorkflowVersionsTable;
  executionSecrets: ExecutionSecretsTable;
}
