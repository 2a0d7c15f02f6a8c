import { sql } from 'kysely';
import { type Migration, Migrator, DEFAULT_MIGRATION_TABLE as TABLE } from 'kysely/migration';
import { incompatibleMigrations } from '#schemas/migration-name.ts';
import type { Database } from '../database.ts';
import { isDatabaseUnavailable } from '../failure.ts';
import { accounts } from './0001-accounts.ts';
import { auditLog } from './0002-audit-log.ts';
import { jobs } from './0003-jobs.ts';
import { signInDecoys } from './0011-sign-in-decoys.ts';
import { auditHead } from './0015-audit-head.ts';
import { outputCursors } from './0016-output-cursors.ts';
import { workflows } from './0020-workflows.ts';
import { executions } from './0021-executions.ts';
import { agents } from './0022-agents.ts';
import { triggers } from './0023-triggers.ts';
import { executionLists } from './0024-execution-lists.ts';
import { detectionWork } from './0030-detection-work.ts';
import { outputs } from './0031-outputs.ts';
import { executionCauses } from './0040-execution-causes.ts';
import { executionLines } from './0041-execution-lines.ts';
import { executionsInHand } from './0050-executions-in-hand.ts';
import { visibleExecutions } from './0060-visible-executions.ts';
import { agentEvaluations } from './0061-agent-evaluations.ts';
import { waitsByOwner } from './0062-waits-by-owner.ts';
import { landedExceptions } from './0063-landed-exceptions.ts';
import { executionCounts } from './0064-execution-counts.ts';
import { exampleCounts } from './0065-example-counts.ts';
import { suspects } from './0066-suspects.ts';
import { userQuotas } from './0070-user-quotas.ts';
import { quotaCounts } from './0071-quota-counts.ts';
import { detectionAutomation } from './0080-detection-automation.ts';
import { secretFingerprints } from './0082-secret-fingerprints.ts';
import { uploadedNames } from './0083-uploaded-names.ts';
import { userRules } from './0090-user-rules.ts';
import { detectors } from './0096-detectors.ts';
import { hostKeys } from './0098-host-keys.ts';
import { processes } from './0099-processes.ts';
import { backgroundMigrations } from './0101-background-migrations.ts';
import { exceptionRequests } from './0115-exception-requests.ts';
import { cases } from './0120-cases.ts';
import { sharing } from './0130-sharing.ts';
import { approvals } from './0131-approvals.ts';
import { detectionProposals } from './0140-detection-proposals.ts';
import { emailChanges } from './0155-email-changes.ts';
import { executionLimits } from './0165-execution-limits.ts';
import { executionHolds } from './0166-execution-holds-since-0-2-0.ts';
import { bulkActions } from './0167-bulk-actions.ts';
import { executionReplies } from './0170-execution-replies-since-0-2-0.ts';
import { unpricedRuns } from './0175-unpriced-runs-since-0-2-0.ts';
import { agentToolCalls } from './0176-agent-tool-calls.ts';
import { agentMcpTools } from './0177-agent-mcp-tools.ts';
import { agentExperiments } from './0178-agent-experiments.ts';
import { workerTasks } from './0185-worker-tasks.ts';
import { archivedWorkflows } from './0190-archived-workflows.ts';
import { samlAssertions } from './0195-saml-assertions.ts';
import { scim } from './0196-scim.ts';
import { secondFactors } from './0205-second-factors.ts';
import { keyRestrictions } from './0206-key-restrictions.ts';
import { traces } from './0215-traces.ts';
import { statusIncidents } from './0216-status-incidents.ts';
import { executionChangeTrigger } from './0220-execution-change-trigger-since-0-2-0.ts';
import { formerUsernames } from './0230-former-usernames-since-0-2-0.ts';
import { secretHosts } from './0231-secret-hosts.ts';
import { recordChangesWithoutCompiler } from './0232-record-changes-without-compiler-since-0-2-0.ts';
import { nextExecutions } from './0233-next-executions.ts';
import { providerSessions } from './0234-provider-sessions.ts';
import { suspendedExecutions } from './0235-suspended-executions-since-0-2-0.ts';
import { executionStarters } from './0240-execution-starters.ts';
import { executionProgress } from './0245-execution-progress-since-0-2-0.ts';
import { federatedSessions } from './0250-federated-sessions.ts';

/** In execution order. Each migration runs once per database. There are no down migrations. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-audit-log': auditLog,
  '0003-jobs': jobs,
  '0011-sign-in-decoys': signInDecoys,
  '0015-audit-head': auditHead,
  '0016-output-cursors': outputCursors,
  '0020-workflows': workflows,
  '0021-executions': executions,
  '0022-agents': agents,
  '0023-triggers': triggers,
  '0024-execution-lists': executionLists,
  '0030-detection-work': detectionWork,
  '0031-outputs': outputs,
  '0040-execution-causes': executionCauses,
  '0041-execution-lines': executionLines,
  '0050-executions-in-hand': executionsInHand,
  '0060-visible-executions': visibleExecutions,
  '0061-agent-evaluations': agentEvaluations,
  '0062-waits-by-owner': waitsByOwner,
  '0063-landed-exceptions': landedExceptions,
  '0064-execution-counts': executionCounts,
  '0065-example-counts': exampleCounts,
  '0066-suspects': suspects,
  '0070-user-quotas': userQuotas,
  '0071-quota-counts': quotaCounts,
  '0080-detection-automation': detectionAutomation,
  '0082-secret-fingerprints': secretFingerprints,
  '0083-uploaded-names': uploadedNames,
  '0090-user-rules': userRules,
  '0096-detectors': detectors,
  '0098-host-keys': hostKeys,
  '0099-processes': processes,
  '0101-background-migrations': backgroundMigrations,
  '0115-exception-requests': exceptionRequests,
  '0120-cases': cases,
  '0130-sharing': sharing,
  '0131-approvals': approvals,
  '0140-detection-proposals': detectionProposals,
  '0155-email-changes': emailChanges,
  '0165-execution-limits': executionLimits,
  '0166-execution-holds-since-0-2-0': executionHolds,
  '0167-bulk-actions': bulkActions,
  '0170-execution-replies-since-0-2-0': executionReplies,
  '0175-unpriced-runs-since-0-2-0': unpricedRuns,
  '0176-agent-tool-calls': agentToolCalls,
  '0177-agent-mcp-tools': agentMcpTools,
  '0178-agent-experiments': agentExperiments,
  '0185-worker-tasks': workerTasks,
  '0190-archived-workflows': archivedWorkflows,
  '0195-saml-assertions': samlAssertions,
  '0196-scim': scim,
  '0205-second-factors': secondFactors,
  '0206-key-restrictions': keyRestrictions,
  '0215-traces': traces,
  '0216-status-incidents': statusIncidents,
  '0220-execution-change-trigger-since-0-2-0': executionChangeTrigger,
  '0230-former-usernames-since-0-2-0': formerUsernames,
  '0231-secret-hosts': secretHosts,
  '0232-record-changes-without-compiler-since-0-2-0': recordChangesWithoutCompiler,
  '0233-next-executions': nextExecutions,
  '0234-provider-sessions': providerSessions,
  '0235-suspended-executions-since-0-2-0': suspendedExecutions,
  '0240-execution-starters': executionStarters,
  '0245-execution-progress-since-0-2-0': executionProgress,
  '0250-federated-sessions': federatedSessions,
};

/** A newer version has run migrations that are incompatible with this version. */
export class DatabaseTooNew extends Error {
  override readonly name = 'DatabaseTooNew';

  constructor(incompatible: readonly string[]) {
    const some = `${incompatible.slice(0, 3).join(', ')}${incompatible.length > 3 ? ` and ${incompatible.length - 3} more` : ''}`;
    super(
      `the PostgreSQL database was migrated by a newer Trapline (incompatible migrations: ${some}): start that version, ` +
        'or restore a backup from before it',
    );
  }
}

/**
 * Runs pending migrations and resolves to their names. Idempotent and safe to run concurrently: an advisory lock lets
 * one process run them, all in one transaction. Migrations of a newer version are accepted if they only add to the
 * tables. Rejects with `DatabaseTooNew` if there are others.
 */
export async function migrateDatabase(
  database: Database,
  /** Called after each migration that runs. */
  onStep: (done: number, total: number) => void = () => {},
): Promise<readonly string[]> {
  for (;;) {
    const newer = await unknownMigrations(database);
    const incompatible = incompatibleMigrations(newer);
    if (incompatible.length > 0) throw new DatabaseTooNew(incompatible);
    const watched = await withSteps(database, onStep);
    const { error, results = [] } = await migratorOf(database, newer, watched).migrateToLatest();
    if (error === undefined) return results.map(({ migrationName }) => migrationName);
    // A newer version has migrated the database concurrently.
    const isNewer = !isDatabaseUnavailable(error) && (await unknownMigrations(database)).length > newer.length;
    if (!isNewer) throw error;
  }
}

/** Returns the names of all migrations, in order. */
export function knownMigrations(): readonly string[] {
  return Object.keys(MIGRATIONS);
}

/** Migrates an empty database to an earlier state: runs only the migrations up to `last`. */
export async function migrateDatabaseTo(database: Database, last: string): Promise<void> {
  const { error } = await migratorOf(database).migrateTo(last);
  if (error !== undefined) throw error;
}

/** Returns the names of pending migrations. Read-only. */
export async function pendingMigrations(database: Database): Promise<readonly string[]> {
  const all = await migratorOf(database).getMigrations();
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name);
}

/** Returns the names of executed migrations that this version does not know. Read-only. */
export async function unknownMigrations(database: Database): Promise<readonly string[]> {
  const { rows: tables } = await sql<{ found: string | null }>`SELECT to_regclass(${TABLE})::text AS found`.execute(
    database,
  );
  if (tables[0]?.found == null) return [];
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(TABLE)} ORDER BY name`.execute(database);
  return rows.map(({ name }) => name).filter((name) => !Object.hasOwn(MIGRATIONS, name));
}

/** Returns the migrations, each followed by a call of `onStep`. */
async function withSteps(
  database: Database,
  onStep: (done: number, total: number) => void,
): Promise<Readonly<Record<string, Migration>>> {
  const { length: total } = await pendingMigrations(database);
  let done = 0;
  return Object.fromEntries(
    Object.entries(MIGRATIONS).map(([name, { up }]): [string, Migration] => [
      name,
      {
        async up(db) {
          await up(db);
          done += 1;
          onStep(done, total);
        },
      },
    ]),
  );
}

/** Creates the migrator. `newer`: names of executed migrations that this version does not know. */
function migratorOf(
  database: Database,
  newer: readonly string[] = [],
  migrations: Readonly<Record<string, Migration>> = MIGRATIONS,
): Migrator {
  const finished = Object.fromEntries(newer.map((name): [string, Migration] => [name, { up: async () => {} }]));
  return new Migrator({ db: database, provider: { getMigrations: async () => ({ ...migrations, ...finished }) } });
}
