import { Buffer } from 'node:buffer';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { PAGE_SHAPE } from '#api/http/page-query.ts';
import type { Database } from '#api/postgres/database.ts';
import { waitSchema } from '#schemas/api/waits.ts';
import { listWaits, type WaitPlace } from '../store/waits.ts';
import { READ, viewerOf } from './access.ts';

const query = z.strictObject({
  limit: PAGE_SHAPE.limit,
  cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the page before'),
});
const placeSchema = z.tuple([z.string().max(100), z.string().max(1000)]);

/** GET /api/v1/waits: what executions wait for. An answer goes to POST /api/v1/events. */
export function waitsRoute(app: ApiServer, { database }: { readonly database: Database }): void {
  app.get(
    '/api/v1/waits',
    {
      config: READ,
      schema: {
        operationId: 'listWaits',
        summary: 'List what executions wait for',
        description:
          "Executions in a `listen`, the newest executions first: the events that would continue them, when sent to `/api/v1/events`. The list contains those that events of the caller reach: the caller's own executions; all executions for administrators.",
        tags: ['workflows'],
        querystring: query,
        response: {
          200: z
            .object({ data: z.array(waitSchema), limit: z.int(), nextCursor: z.string().nullable() })
            .describe('Waits.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await listWaits(database, viewerOf(request), { limit: limit + 1, after: placeOf(cursor) });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        data: page.map(({ executionId, wait, step, mode, filters, createdAt, input, ...row }) => ({
          executionId,
          wait,
          step,
          mode,
          filters: filters.map(({ with: attributes, correlate }) => ({
            with: { ...attributes },
            correlate: { ...correlate },
          })),
          since: createdAt.toISOString(),
          workflow: { id: row.workflowId, name: row.slug, title: row.title, summary: row.summary },
          ...(input === null ? {} : { input }),
        })),
        limit,
        nextCursor: rows.length > limit && last !== undefined ? cursorOf(last) : null,
      };
    },
  );
}

function cursorOf({ executionId, wait }: WaitPlace): string {
  return Buffer.from(JSON.stringify([executionId, wait])).toString('base64url');
}

function placeOf(cursor: string | undefined): WaitPlace | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [executionId, wait] = placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (!`${executionId}${wait}`.includes('\0')) return { executionId, wait };
  } catch {
    // Refused below.
  }
  throw apiError('invalid_value', 'this is no cursor of this list', 'cursor');
}
