import { z } from 'zod';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import {
  countDeadLetters,
  getDeadLetter,
  listDeadLetters,
  type StoredDeadLetter,
  streamDeadLetters,
} from '#analytics/clickhouse/read-models/dead-letters.ts';
import { MAX_PAGE } from '#analytics/clickhouse/read-models/listing.ts';
import type { AuditEntry } from '#api/audit/port.ts';
import type { RecordChange } from '#api/audit/record-change.ts';
import { actorOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Redrive, RedriveResult } from '#api/http/ports.ts';
import { FILTER_SHAPES, withoutUndefined } from '#api/http/queries/list-query.ts';
import { refuseQuery } from '#api/http/queries/refuse-query.ts';
import { deadLetterSchema } from '#schemas/api/dead-letters.ts';
import { deadLetterRecord } from '../records/dead-letter-record.ts';
import { listRoute, oneRoute, type RecordSource } from './records.ts';

/** Selects the dead letters to redrive: by id, or the newest that match the filters and have not been redriven. */
const redriveSchema = z
  .strictObject({
    ids: z.array(z.string().min(1).max(300)).min(1).max(MAX_PAGE).optional(),
    filter: z.strictObject(FILTER_SHAPES['dead-letters']).optional(),
    limit: z
      .int()
      .min(1)
      .max(MAX_PAGE)
      .default(MAX_PAGE)
      .describe('maximum number of dead letters that match the filter'),
    cursor: z.string().min(1).max(2000).optional().describe('`nextCursor` of the previous response'),
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), 'must have either ids or a filter')
  .refine(({ ids, cursor }) => ids === undefined || cursor === undefined, 'a cursor goes with a filter');

const WRITE = { access: { by: 'key-or-session', scope: 'detections:write' } } as const;
const REDRIVE = {
  operationId: 'redriveDeadLetters',
  summary: 'Redrive dead letters',
  description:
    'Sends dead letters through the pipeline again, by ids, or the newest that match a filter, and returns their outcomes. To redrive all matches, repeat the request with `nextCursor` until it is null; each is sent once, even if new ones arrive. Idempotent.',
  tags: ['detection service'],
  body: redriveSchema,
  response: {
    200: z
      .object({
        results: z.array(
          z.object({
            id: z.string(),
            outcome: z.enum(['accepted', 'rejected', 'already_redriven', 'not_found', 'queue_full']),
            code: z.string().optional().describe('code of the new rejection'),
            path: z.string().optional(),
            message: z.string().optional(),
          }),
        ),
        nextCursor: z.string().nullable().describe('Cursor of the next matches of the filter; null: there are no more'),
        total: z
          .int()
          .optional()
          .describe('Number of matches before the first redrive; only without a cursor, and if the count is fast'),
      })
      .describe('The outcomes.'),
    ...errorResponses(400, 401, 403, 415, 429, 503),
  },
};

/** Maximum number of dead letters in flight: enough to fill batches of the pipeline, few enough to fit its queue. */
const MAX_IN_FLIGHT = 100;

/** GET /api/dead-letters, GET /api/dead-letters/{id}, POST /api/dead-letters/redrive. */
export function deadLetterRoutes(
  app: ApiServer,
  clickhouse: ClickHouse,
  redrive: Redrive,
  recordChange: RecordChange,
): void {
  const source: RecordSource<'dead-letters', StoredDeadLetter> = {
    kind: 'dead-letters',
    noun: 'dead letter',
    shape: deadLetterSchema,
    list: (filters, page) => listDeadLetters(clickhouse, filters, page),
    stream: (filters, signal) => streamDeadLetters(clickhouse, filters, signal),
    get: (id) => getDeadLetter(clickhouse, id),
    toRecord: deadLetterRecord,
  };
  listRoute(app, source);
  oneRoute(app, source);

  app.post('/api/dead-letters/redrive', { config: WRITE, schema: REDRIVE }, async (request) => {
    await recordChange({
      ...describeSelection(request.body),
      action: 'dead-letter.redrive',
      actor: actorOf(request.caller),
      origin: originOf(request),
    });
    const total = await chosenBy(request.body);
    const results: RedriveResult[] = [];
    let nextCursor: string | null = null;
    for await (const { letters, goesOnAt = null } of selected(request.body)) {
      nextCursor = goesOnAt;
      results.push(
        ...(await Promise.all(letters.map((letter) => ('identity' in letter ? redriveOne(letter) : letter)))),
      );
    }
    return { results, nextCursor, ...(total === undefined ? {} : { total }) };
  });

  /** Used only to report progress. If the count takes too long, the records are sent without it. */
  async function chosenBy({ filter, cursor }: z.infer<typeof redriveSchema>): Promise<number | undefined> {
    if (filter === undefined || cursor !== undefined) return undefined;
    return countDeadLetters(clickhouse, { status: 'open', ...withoutUndefined(filter) }).catch(() => undefined);
  }

  const redriveOne = ({ id, identity, raw, redriven }: StoredDeadLetter) =>
    redrive({ id, identity, raw, redriven: redriven !== null });

  async function* selected(selection: z.infer<typeof redriveSchema>): AsyncGenerator<{
    readonly letters: readonly (StoredDeadLetter | RedriveResult)[];
    readonly goesOnAt?: string | undefined;
  }> {
    if (selection.ids !== undefined) {
      for (let at = 0; at < selection.ids.length; at += MAX_IN_FLIGHT) {
        const ids = selection.ids.slice(at, at + MAX_IN_FLIGHT);
        const found = ids.map(
          async (id) => (await getDeadLetter(clickhouse, id)) ?? { id, outcome: 'not_found' as const },
        );
        yield { letters: await Promise.all(found) };
      }
      return;
    }
    const filters = { status: 'open', ...withoutUndefined(selection.filter ?? {}) };
    let { cursor } = selection;
    for (let left = selection.limit; left > 0; left -= MAX_IN_FLIGHT) {
      const request = { limit: Math.min(left, MAX_IN_FLIGHT), ...(cursor === undefined ? {} : { cursor }) };
      const page = await listDeadLetters(clickhouse, filters, request).catch(refuseQuery);
      yield { letters: page.items, goesOnAt: page.nextCursor };
      if (page.nextCursor === undefined) return;
      cursor = page.nextCursor;
    }
  }
}

/** Describes the selection of a redrive for the audit log. */
function describeSelection({
  ids,
  filter,
  limit,
  cursor,
}: z.infer<typeof redriveSchema>): Pick<AuditEntry, 'target' | 'diff'> {
  const [only, ...others] = ids ?? [];
  if (only !== undefined && others.length === 0) return { target: `dead-letter:${only}` };
  if (ids !== undefined) return { target: 'dead-letters', diff: { count: { after: ids.length }, ids: { after: ids } } };
  // Renamed because the audit log redacts a field called `code`.
  const { code: refusedFor, ...rest } = filter ?? {};
  const goesOn = cursor === undefined ? {} : { goesOn: { after: true } };
  return {
    target: 'dead-letters',
    diff: { filter: { after: { ...rest, refusedFor } }, limit: { after: limit }, ...goesOn },
  };
}
