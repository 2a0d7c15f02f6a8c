import type { ApiKeysTable } from './tables/api-keys.ts';
import type { AuditLogTable } from './tables/audit-log.ts';
import type { JobsTable } from './tables/jobs.ts';
import type { OAuthIdentitiesTable } from './tables/oauth-identities.ts';
import type { OneTimeCodesTable } from './tables/one-time-codes.ts';
import type { PageViewsTable } from './tables/page-views.ts';
import type { ResetTokensTable } from './tables/reset-tokens.ts';
import type { SessionsTable } from './tables/sessions.ts';
import type { UsersTable } from './tables/users.ts';

/** Every table, by its name in TypeScript. */
export interface Tables {
  users: UsersTable;
  sessions: SessionsTable;
  apiKeys: ApiKeysTable;
  oneTimeCodes: OneTimeCodesTable;
  resetTokens: ResetTokensTable;
  oauthIdentities: OAuthIdentitiesTable;
  auditLog: AuditLogTable;
  pageViews: PageViewsTable;
  jobs: JobsTable;
}
