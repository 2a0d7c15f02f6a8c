import { z } from 'zod';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import type { Database } from '#api/postgres/database.ts';
import { QUOTA_RESOURCES, quotaChangeSchema, type UserQuotaBody, userQuotaSchema } from '#schemas/api/quotas.ts';
import { userIdSchema } from '#schemas/api/users.ts';
import type { ChangeQuota } from '../../admin/change-quota.ts';
import { type ResourceUsage, readUsage } from '../../tables/quotas.ts';
import { findUser } from '../../tables/user-administration.ts';

const params = z.strictObject({ id: userIdSchema });
const response = userQuotaSchema.describe('All counted resources.');

/** Usage and quotas of a user: GET /api/user/quota; for administrators GET and PATCH /api/admin/users/:id/quota. */
export function quotaRoutes(
  app: ApiServer,
  { database, changeQuota }: { readonly database: Database; readonly changeQuota: ChangeQuota },
): void {
  app.get(
    '/api/user/quota',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'getQuota',
        summary: 'Read your usage and quotas',
        description:
          'Usage and quota of each resource. A request over a quota is refused with 403 and the code `quota_exceeded`, also under /api/v1. Data that an execution writes is counted when it ends, so the next execution is refused.',
        tags: ['accounts'],
        response: { 200: response, ...errorResponses(401, 429, 503) },
      },
    },
    async ({ caller }) => {
      const userId = caller === undefined ? undefined : userOf(caller);
      if (userId === undefined) throw apiError('unauthorized', 'a session is needed');
      return quotaBody(await readUsage(database, userId));
    },
  );

  app.get(
    '/api/admin/users/:id/quota',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'getUserQuota',
        summary: 'Read the usage and quotas of a user',
        description: 'Usage and quota of each resource, and which quotas were set for this user.',
        tags: ['administration'],
        params,
        response: { 200: response, ...errorResponses(400, 401, 403, 404, 429, 503) },
      },
    },
    async ({ params: { id } }) => {
      if ((await findUser(database, id)) === undefined) throw apiError('not_found', 'there is no such user');
      return quotaBody(await readUsage(database, id));
    },
  );

  app.patch(
    '/api/admin/users/:id/quota',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'setUserQuota',
        summary: 'Set quotas of a user',
        description:
          'The quotas apply to the next request of the user. A quota below the present usage deletes nothing, but refuses further use.',
        tags: ['administration'],
        params,
        body: quotaChangeSchema,
        response: { 200: response, ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const by = { actor: actorOf(request.caller), origin: originOf(request) };
      const usage = await changeQuota(id, request.body.quotas, by);
      if (usage === undefined) throw apiError('not_found', 'there is no such user');
      return quotaBody(usage);
    },
  );
}

function quotaBody(usage: readonly ResourceUsage[]): UserQuotaBody {
  return { data: usage.map((one) => ({ ...one, description: QUOTA_RESOURCES[one.resource] })) };
}
