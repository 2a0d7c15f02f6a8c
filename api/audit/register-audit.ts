import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { momentQuery } from '#api/http/queries/moment-query.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { queryNames } from '#api/http/queries/query-list.ts';
import type { Database } from '#api/postgres/database.ts';
import { type ReadLists, readFromPrimary } from '#api/read-replica/read-lists.ts';
import { auditEntrySchema, auditVerificationSchema } from '#schemas/api/audit-log.ts';
import { auditRecord } from './audit-record.ts';
import { findAuditRow, listAuditRows } from './tables/audit-log.ts';
import { namesInAudit, type ReadDetectionNames } from './tables/audit-names.ts';
import { type ExpectedEntry, verifyAuditLog } from './verify.ts';

const config = { access: { by: 'admin' } } as const;
const tags = ['administration'];

const names = queryNames().refine(
  (values) => values.every((value) => !value.includes('\0')),
  'must be a name without NUL',
);
const entriesQuery = z.strictObject({
  actor: names.describe('Exact actor, or several').meta({ example: 'operator' }).optional(),
  target: names.describe('Exact target, or several').meta({ example: 'key:tl_4Yb0dWn1Kq7x' }).optional(),
  action: names.describe('Exact action, or several').meta({ example: 'key.revoke,key.create' }).optional(),
  from: momentQuery('lower')
    .describe('From this time on: ISO 8601, or relative such as now()-7d (s, m, h, d, w)')
    .meta({ example: 'now()-7d' })
    .optional(),
  to: momentQuery('lower').describe('Before this time').meta({ example: '2026-03-02T00:00:00Z' }).optional(),
  ...PAGE_SHAPE,
});

const verifyQuery = z.strictObject({
  expect: z
    .string()
    .regex(/^\d{1,15}:[0-9a-f]{64}$/, 'must be the id of an entry, a colon and its hash in hexadecimal')
    .transform((text): ExpectedEntry => {
      const [id = '', hash = ''] = text.split(':');
      return { id: Number(id), hash };
    })
    .describe('An entry that was recorded elsewhere: `<id>:<hash>`')
    .meta({ example: `12:${'0'.repeat(64)}` })
    .optional(),
});

const entryParams = z.strictObject({
  id: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'must be the id of an entry')
    .transform(Number)
    .describe('Id of an entry: 1, 2, 3 …')
    .meta({ example: '12' }),
});

export interface AuditDeps {
  readonly database: Database;
  /** Default: lists are read from `database`. */
  readonly readLists?: ReadLists | undefined;
  /** By default, entries contain no names of detections. */
  readonly readDetectionNames?: ReadDetectionNames | undefined;
}

/** GET /api/admin/audit-log; …/verify, which reads the whole log; and …/:id, the permanent URL of one entry. */
export function registerAudit(
  app: ApiServer,
  { database, readLists = readFromPrimary(database), readDetectionNames }: AuditDeps,
): void {
  app.get(
    '/api/admin/audit-log',
    {
      config,
      schema: {
        operationId: 'listAuditEntries',
        summary: 'Read the audit log',
        description: 'Actions on accounts, keys, rules and other objects, with their actors, newest first.',
        tags,
        querystring: entriesQuery,
        response: { 200: listOf(auditEntrySchema).describe('Entries.'), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    (request) =>
      readLists(request, async (from) => {
        const { limit, offset, ...filters } = request.query;
        const { rows, total } = await listAuditRows(from, filters, { limit, offset });
        const names = await namesInAudit(from, rows, readDetectionNames);
        return { data: rows.map((row) => auditRecord(row, names)), total, limit, offset };
      }),
  );

  app.get(
    '/api/admin/audit-log/:id',
    {
      config,
      schema: {
        operationId: 'getAuditEntry',
        summary: 'Read an entry of the audit log',
        description: 'One entry by id, at a permanent URL: entries are never changed or removed.',
        tags,
        params: entryParams,
        response: { 200: auditEntrySchema.describe('The entry.'), ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async ({ params: { id } }) => {
      const row = await findAuditRow(database, id);
      if (row === undefined) throw apiError('not_found', 'there is no entry with this id');
      return auditRecord(row, await namesInAudit(database, [row], readDetectionNames));
    },
  );

  app.get(
    '/api/admin/audit-log/verify',
    {
      config,
      schema: {
        operationId: 'verifyAuditLog',
        summary: 'Verify the audit log',
        description:
          'Reads the whole log and returns the first entry that was altered, removed or moved. With an entry that was recorded elsewhere, it also detects a completely rewritten log.',
        tags,
        querystring: verifyQuery,
        response: {
          200: auditVerificationSchema.describe('The result of the verification.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ query }) => {
      const { broken, ...verification } = await verifyAuditLog(database, query.expect);
      return { ...verification, broken: broken ?? null };
    },
  );
}
