import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { AuditAction, AuditEntry } from '#api/audit/port.ts';
import { actorOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { entityTag, mayChange } from '#api/http/responses/entity-tag.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Db } from '#api/postgres/database.ts';
import { violatedUnique } from '#api/postgres/failure.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { templateBodySchema, templateIdSchema, templateSchema } from '#schemas/api/cases.ts';
import { newId } from '../new-id.ts';
import { templateRecord } from '../records/records.ts';
import {
  type CaseTemplate,
  deleteTemplate,
  insertTemplate,
  listTemplates,
  lockTemplate,
  replaceTemplate,
} from '../tables/case-templates.ts';
import { CASE_TAGS, type CaseRoutesDeps, READ, WRITE_ERRORS } from './deps.ts';

const ADMIN = { access: { by: 'key-or-session', scope: 'admin' } } as const;
const params = z.strictObject({ id: templateIdSchema });
/** Maximum number of templates; installations need only a few. */
const MAX_TEMPLATES = 200;

/**
 * Routes for templates of cases: analysts use them, administrators change them.
 * Long: each route includes its description.
 */
export function caseTemplateRoutes(
  app: ApiServer,
  { database, audit }: Pick<CaseRoutesDeps, 'database' | 'audit'>,
): void {
  app.get(
    '/api/case-templates',
    {
      config: READ,
      schema: {
        operationId: 'listCaseTemplates',
        summary: 'List the templates of cases',
        description: 'All templates, by name.',
        tags: CASE_TAGS,
        response: {
          200: z.object({ data: z.array(templateSchema) }).describe('Templates.'),
          ...errorResponses(401, 403, 429, 503),
        },
      },
    },
    async () => ({ data: (await listTemplates(database)).map(templateRecord) }),
  );

  app.post(
    '/api/case-templates',
    {
      config: ADMIN,
      schema: {
        operationId: 'createCaseTemplate',
        summary: 'Create a template of cases',
        description: 'A title, a severity and tasks for new cases. Audited.',
        tags: CASE_TAGS,
        body: templateBodySchema,
        response: {
          201: templateSchema.describe('The template; the header ETag contains its ETag.'),
          ...WRITE_ERRORS,
          ...errorResponses(409),
        },
      },
    },
    async (request, reply) => {
      const row = await inTransaction(database, async (transaction) => {
        if ((await listTemplates(transaction)).length >= MAX_TEMPLATES)
          throw apiError('conflict', `there are ${MAX_TEMPLATES} templates, which is the limit`);
        const created = await insertTemplate(transaction, newId('tpl'), request.body, actorOf(request.caller));
        await record(transaction, request, created.id, 'case-template.create', diffOf(undefined, created));
        return created;
      }).catch(refuseTaken);
      return tagged(reply.code(201), row);
    },
  );

  app.put(
    '/api/case-templates/:id',
    {
      config: ADMIN,
      schema: {
        operationId: 'replaceCaseTemplate',
        summary: 'Replace a template of cases',
        description:
          'Cases that were opened from it do not change. With the header If-Match, the request fails with 412 if the template changed since it was read. Audited.',
        tags: CASE_TAGS,
        params,
        headers: ifMatchHeaders('template'),
        body: templateBodySchema,
        response: {
          200: templateSchema.describe('The changed template; the header ETag contains its ETag.'),
          ...WRITE_ERRORS,
          ...errorResponses(409, 412),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const row = await inTransaction(database, async (transaction) => {
        const before = await locked(transaction, id, request.headers['if-match']);
        const after = await replaceTemplate(transaction, id, request.body, actorOf(request.caller));
        await record(transaction, request, id, 'case-template.update', diffOf(before, after));
        return after;
      }).catch(refuseTaken);
      return tagged(reply, row);
    },
  );

  app.delete(
    '/api/case-templates/:id',
    {
      config: ADMIN,
      schema: {
        operationId: 'deleteCaseTemplate',
        summary: 'Delete a template of cases',
        description: 'Cases that were opened from it do not change. Audited.',
        tags: CASE_TAGS,
        params,
        headers: ifMatchHeaders('template'),
        response: {
          204: z.undefined().describe('The template is deleted.'),
          ...errorResponses(400, 401, 403, 404, 412, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      await inTransaction(database, async (transaction) => {
        const before = await locked(transaction, id, request.headers['if-match']);
        await deleteTemplate(transaction, id);
        await record(transaction, request, id, 'case-template.delete', { name: { before: before.name } });
      });
      return reply.code(204).send();
    },
  );

  async function record(
    transaction: Db,
    request: FastifyRequest,
    id: string,
    action: AuditAction,
    diff: NonNullable<AuditEntry['diff']>,
  ): Promise<void> {
    const actor = actorOf(request.caller);
    await audit.record(transaction, { actor, target: `case-template:${id}`, action, diff, origin: originOf(request) });
  }
}

async function locked(transaction: Db, id: string, ifMatch: string | undefined): Promise<CaseTemplate> {
  const row = await lockTemplate(transaction, id);
  if (row === undefined) throw apiError('not_found', 'there is no template with this id');
  if (!mayChange(ifMatch, entityTag(row.version))) throw changedSinceRead();
  return row;
}

/** Returns the record of a template, and sets the header ETag. */
function tagged(reply: FastifyReply, row: CaseTemplate) {
  const template = templateRecord(row);
  reply.header('etag', template.etag);
  return template;
}

function diffOf(before: CaseTemplate | undefined, after: CaseTemplate) {
  const names = ['name', 'title', 'severity', 'tasks'] as const;
  const changed = names.filter((name) => JSON.stringify(before?.[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, { before: before?.[name], after: after[name] }]));
}

function refuseTaken(error: unknown): never {
  throw violatedUnique(error) === 'case_templates_name'
    ? apiError('conflict', 'another template has this name', 'name')
    : error;
}
