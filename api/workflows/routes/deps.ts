import type { Audit } from '#api/audit/port.ts';
import type { Executions } from '#api/executions/engine/executions.ts';
import { ExpressionsBusyError } from '#api/executions/expressions/expression-error.ts';
import type { Contents } from '#api/executions/files/contents.ts';
import type { VersionLimits } from '#api/executions/limits/start-limits.ts';
import type { CountTotal } from '#api/executions/lists/totals.ts';
import type { PayloadStore } from '#api/executions/payloads/port.ts';
import type { ExecutionWatch } from '#api/executions/watch/port.ts';
import { apiError } from '#api/http/api-error.ts';
import { MAX_LONG_POLLS } from '#api/http/responses/long-poll.ts';
import type { JobQueue } from '#api/jobs/port.ts';
import type { Database } from '#api/postgres/database.ts';
import type { ReadLists } from '#api/read-replica/read-lists.ts';
import type { Grants } from '#api/sharing/grants.ts';
import { type Action, mayDo, standingOf } from '#api/sharing/permissions.ts';
import type { Viewer } from '#api/sharing/viewer.ts';
import type { DefinitionChecker } from '../definitions/checker.ts';
import type { Releases } from '../definitions/release.ts';
import { findWorkflow, type SeenWorkflow } from '../tables/workflows.ts';

/** Dependencies of the routes of workflows. */
export interface WorkflowRouteDeps {
  readonly database: Database;
  readonly audit: Audit;
  readonly releases: Releases;
  readonly checker: Pick<DefinitionChecker, 'check' | 'draw' | 'compare'>;
  readonly executions: Executions;
  readonly jobs: JobQueue;
  readonly versionLimits: VersionLimits;
  readonly watch: ExecutionWatch;
  readonly payloads: PayloadStore | undefined;
  /** Store of the files of runs. */
  readonly contents: Pick<Contents, 'put' | 'read'>;
  readonly countTotal: CountTotal;
  readonly grants: Grants;
  /** If undefined, lists are read from `database`. */
  readonly readLists?: ReadLists | undefined;
  /** Default: `RUN_LIMITS`. */
  readonly runLimits?: Partial<RunLimits>;
}

export interface RunLimits {
  /** Maximum size of one file, in bytes. */
  readonly fileBytes: number;
  /** Maximum total size of the files of a run, in bytes. */
  readonly filesBytes: number;
  readonly files: number;
  /** Maximum number of held requests of this process. Above it, a run responds with its id immediately. */
  readonly held: number;
}

export const RUN_LIMITS: RunLimits = {
  fileBytes: 100 * 2 ** 20,
  filesBytes: 500 * 2 ** 20,
  files: 50,
  held: MAX_LONG_POLLS,
};

/**
 * Returns a workflow. Throws a 404 if it does not exist or is invisible, a 403 if the viewer lacks the permission, and
 * a 400 for a run of a deleted one.
 */
export async function workflowOf(
  database: Database,
  viewer: Viewer,
  idOrSlug: string,
  action: Action = 'view',
): Promise<SeenWorkflow> {
  const workflow = await findWorkflow(database, viewer, idOrSlug);
  if (workflow === undefined) throw noSuchWorkflow();
  if (!mayDo(action, standingOf(viewer, workflow))) throw notAllowed(action);
  if (action === 'run') requireActive(workflow);
  return workflow;
}

const NEEDED: Readonly<Partial<Record<Action, string>>> = {
  run: 'you may read this workflow, but not run it: its owner can grant `run`',
  edit: 'only its owner, administrators and users with the grant `edit` change a workflow',
  share: 'only its owner and administrators share a workflow',
  'change-execution': 'you may read this execution, but not change it: the owner of the workflow can grant `run`',
};

/** Returns the error for a viewer who sees the workflow but lacks the permission. */
export function notAllowed(action: Action) {
  return apiError('forbidden', NEEDED[action] ?? 'you may read this workflow only');
}

/** Throws a 400 for a deleted workflow. */
export function requireActive({ archivedAt }: Pick<SeenWorkflow, 'archivedAt'>): void {
  if (archivedAt !== null) throw apiError('invalid_value', 'the workflow is deleted: a release makes it active again');
}

/** Throws a 429 if the limits of a start cannot be evaluated now. Rethrows other errors. */
export function refuseWhenBusy(error: unknown): never {
  if (!(error instanceof ExpressionsBusyError)) throw error;
  throw apiError('rate_limited', error.message, undefined, { 'retry-after': '5' });
}

export function noSuchWorkflow() {
  return apiError('not_found', 'there is no such workflow');
}
