import type { Database, Db } from '../../store/database.ts';
import { findTracedStep } from '../../store/executions/repetition.ts';
import type { JsonValue } from '../json-value.ts';
import { readPayload } from '../payloads/keep-payload.ts';
import type { PayloadStore } from '../payloads/port.ts';
import type { Executions } from './executions.ts';

export type RunAgainAnswer =
  | { readonly outcome: 'accepted'; readonly executionId: string; readonly sourceExecutionId: string }
  /** There is no such execution, or what it was started with is not kept any more. */
  | { readonly outcome: 'no-source' }
  /** The execution never came to that step. */
  | { readonly outcome: 'no-step' };

export interface RunAgainOptions {
  /** Whose the new one is. */
  readonly ownerId: string | null;
  readonly requestId?: string | null;
  /** See `Executions.accept`. */
  readonly within?: (transaction: Db, id: string) => Promise<void>;
}

export interface RunAgain {
  /** The same version, with the input and outputs it was started with. The source stays as it is. */
  rerun(source: string, options: RunAgainOptions): Promise<RunAgainAnswer>;
  /**
   * The same again, from a step on (its path, or its name: the first of that name): what had ended before it first began is taken from the source's trace. Of
   * agents only their beginning.
   */
  replay(source: string, step: string, options: RunAgainOptions): Promise<RunAgainAnswer>;
}

export function createRunAgain({
  database,
  executions,
  payloads,
}: {
  readonly database: Database;
  readonly executions: Executions;
  readonly payloads?: PayloadStore | undefined;
}): RunAgain {
  async function again(
    source: string,
    triggerType: 'rerun' | 'replay',
    replayFrom: string | null,
    { ownerId, requestId = null, within }: RunAgainOptions,
  ): Promise<RunAgainAnswer> {
    const row = await database.selectFrom('executions').selectAll().where('id', '=', source).executeTakeFirst();
    if (row === undefined) return { outcome: 'no-source' };
    const { kind, workflowId, versionId, agentId, priority, concurrencyKey, exampleId, exampleName } = row;
    const input = await readPayload(payloads, row.triggerInput, row.triggerInputFile);
    const accepted = await executions.accept(
      {
        kind,
        workflowId,
        versionId,
        agentId,
        priority,
        concurrencyKey,
        exampleId,
        exampleName,
        ownerId,
        requestId,
        triggerType,
        replayFrom,
        sourceExecutionId: source,
        input,
        overrides: row.overrides as Readonly<Record<string, JsonValue>> | null,
        ...(row.metadata === null ? {} : { metadata: row.metadata }),
      },
      within,
    );
    if (accepted.outcome === 'conflict') throw new Error('an execution without a key can not be in conflict');
    return { outcome: 'accepted', executionId: accepted.id, sourceExecutionId: source };
  }

  return {
    rerun: (source, options) => again(source, 'rerun', null, options),
    async replay(source, step, options) {
      const path = await findTracedStep(database, source, step);
      return path === undefined ? { outcome: 'no-step' } : again(source, 'replay', path, options);
    },
  };
}
