import { z } from 'zod';
import { findDefinitionSlug } from '#api/executions/store/definition-slug.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { linkExecutionSchema, linkedExecutionSchema } from '#schemas/api/comments.ts';
import { changedBy } from '../changed-by.ts';
import { targetOf } from '../comments/comments.ts';
import { executionLinkRecord } from '../records/records.ts';
import { executionsOf, insertLinkedExecution, kindOfExecution } from '../tables/linked-executions.ts';
import { missing, type Subject } from './comments.ts';
import { type CaseRoutesDeps, READ_ERRORS, refuse, WRITE_ERRORS } from './deps.ts';

/** Routes for executions that were started for one kind of object. */
export function linkedExecutionRoutes(
  app: ApiServer,
  { database, audit, cases }: Pick<CaseRoutesDeps, 'database' | 'audit' | 'cases'>,
  { path, name, noun, tag, id: idSchema, read, write, exists }: Subject,
): void {
  const tags = [tag];
  const params = z.strictObject({ id: idSchema });
  const list = z.object({ data: z.array(linkedExecutionSchema).describe('Newest first, at most 200') });

  app.get(
    `/api/${path}/:id/executions`,
    {
      config: read,
      schema: {
        operationId: `list${name}Executions`,
        summary: `List executions for ${noun}`,
        description:
          'Executions of workflows and agents that a user started for it. Read an execution to get its result.',
        tags,
        params,
        response: { 200: list.describe('Executions.'), ...READ_ERRORS },
      },
    },
    async ({ params: { id } }) => {
      const rows = await executionsOf(database, id);
      if (rows.length === 0 && !(await exists(id))) throw missing(noun);
      return { data: rows.map(executionLinkRecord) };
    },
  );

  app.post(
    `/api/${path}/:id/executions`,
    {
      config: write,
      schema: {
        operationId: `link${name}Execution`,
        summary: `Link an execution to ${noun}`,
        description:
          'Adds an execution of a workflow or agent that the caller started to its history. Idempotent. Audited.',
        tags,
        params,
        body: linkExecutionSchema,
        response: { 200: list.describe('All linked executions.'), ...WRITE_ERRORS },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { executionId } = request.body;
      if (!(await exists(id))) throw missing(noun);
      const kind = await kindOfExecution(database, viewerOf(request), executionId);
      if (kind === undefined) throw apiError('invalid_value', 'there is no such execution of yours', 'executionId');
      const execution = { executionId, kind, name: (await findDefinitionSlug(database, executionId)) ?? null };
      const by = changedBy(request);
      if (path === 'cases') await cases.linkExecution(id, execution, by).catch(refuse);
      else
        await inTransaction(database, async (transaction) => {
          const { actor, username, origin } = by;
          if (!(await insertLinkedExecution(transaction, { subject: id, ...execution, actor, username }))) return;
          const diff = { execution: { after: execution } };
          await audit.record(transaction, { actor, target: targetOf(id), action: 'detection.execution', diff, origin });
        });
      return { data: (await executionsOf(database, id)).map(executionLinkRecord) };
    },
  );
}
