import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { queryChoices } from '#api/http/queries/query-list.ts';
import { queryFlag } from '#api/http/queries/query-values.ts';
import { changedSinceRead, ifMatchHeaders } from '#api/http/responses/if-match.ts';
import type { Database } from '#api/postgres/database.ts';
import { keyIdSchema } from '#schemas/api/api-keys.ts';
import { roleSchema } from '#schemas/api/roles.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import {
  administeredUserSchema,
  administeredUserWithKeysSchema,
  userChangeSchema,
  userIdSchema,
} from '#schemas/api/users.ts';
import {
  type ChangedBy,
  type ChangeUser,
  type UserChange,
  UserChangeRefused,
  userTag,
} from '../../admin/change-user.ts';
import type { RevokeKey } from '../../keys/revoke-key.ts';
import { administeredUserRecord } from '../../records/user-record.ts';
import { countActiveApiKeys } from '../../tables/api-keys.ts';
import { findUser, listUsers } from '../../tables/user-administration.ts';
import { REVOKED } from '../key-actions.ts';

export interface AdminUserRoutesDeps {
  readonly database: Database;
  readonly changeUser: ChangeUser;
  readonly revokeKey: RevokeKey;
  /** True if a mail server is configured. */
  readonly mailServer: boolean;
}

const config = { access: { by: 'admin' } } as const;
const tags = ['administration'];
const params = z.strictObject({ id: userIdSchema });
const CHANGED = {
  200: administeredUserSchema.describe('The current state of the account; the header ETag contains its ETag.'),
};
const CHANGE_ERRORS = errorResponses(400, 401, 403, 404, 409, 412, 413, 415, 429, 503);
const headers = ifMatchHeaders('account');

const usersQuery = z.strictObject({
  q: storableText(254).describe('Part of the name or the address').meta({ example: 'ada' }).optional(),
  role: queryChoices(roleSchema.options).describe('Role, or several').optional(),
  disabled: queryFlag().describe('Only disabled accounts, or only enabled ones').optional(),
  ...PAGE_SHAPE,
});

/**
 * Accounts, for administrators: GET /api/admin/users, GET and PATCH …/:id, POST …/:id/disable and …/enable, DELETE
 * …/:id/api-keys/:keyId.
 * Long: each route includes its description.
 */
export function adminUserRoutes(
  app: ApiServer,
  { database, changeUser, revokeKey, mailServer }: AdminUserRoutesDeps,
): void {
  app.get(
    '/api/admin/users',
    {
      config,
      schema: {
        operationId: 'listUsers',
        summary: 'List accounts',
        description: 'All accounts, including disabled ones, oldest first.',
        tags,
        querystring: usersQuery,
        response: {
          200: listOf(administeredUserSchema).describe('Accounts.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ query: { limit, offset, ...filters } }) => {
      const { rows, total } = await listUsers(database, filters, { limit, offset });
      return { data: rows.map(administeredUserRecord), total, limit, offset };
    },
  );

  app.get(
    '/api/admin/users/:id',
    {
      config,
      schema: {
        operationId: 'getUser',
        summary: 'Read an account',
        description:
          'One account, and the number of its active keys. The ETag covers the fields that administrators change: role, disabled state and end date.',
        tags,
        params,
        response: {
          200: administeredUserWithKeysSchema.describe('The account; the header ETag contains its ETag.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async ({ params: { id } }, reply) => {
      const user = await findUser(database, id);
      if (user === undefined) throw noSuchUser();
      reply.header('etag', userTag(user));
      const activeKeys = await countActiveApiKeys(database, id);
      return { ...administeredUserRecord(user), activeKeys, canSendPasswordLink: mailServer };
    },
  );

  app.patch(
    '/api/admin/users/:id',
    {
      config,
      schema: {
        operationId: 'changeUser',
        summary: 'Change an account',
        description:
          'Changes role, disabled state and end date. The change applies immediately and everywhere, because sessions and keys are checked with every request. Administrators cannot change their own role or disable their own account (403), and one administrator without an end date must remain (409). With the header If-Match, the change fails with 412 if another administrator changed the account since it was read.',
        tags,
        params,
        headers,
        body: userChangeSchema,
        response: { ...CHANGED, ...CHANGE_ERRORS },
      },
    },
    async (request, reply) => {
      const { endDate, ...others } = request.body;
      const end = endDate === undefined ? {} : { endDate: endDate === null ? null : new Date(endDate) };
      return change(request.params.id, { ...others, ...end }, request, reply);
    },
  );

  for (const [verb, disabled] of [
    ['disable', true],
    ['enable', false],
  ] as const)
    app.post(
      `/api/admin/users/:id/${verb}`,
      {
        config,
        schema: {
          operationId: disabled ? 'disableUser' : 'enableUser',
          summary: disabled ? 'Disable an account' : 'Enable an account',
          description: disabled
            ? 'Ends all sessions of the account and rejects its API keys. You cannot disable your own account (403) or the last administrator (409).'
            : 'The account works again, and a lockout after wrong passwords is over.',
          tags,
          params,
          headers,
          response: { ...CHANGED, ...CHANGE_ERRORS },
        },
      },
      async (request, reply) => change(request.params.id, { disabled }, request, reply),
    );

  app.delete(
    '/api/admin/users/:id/api-keys/:keyId',
    {
      config,
      schema: {
        operationId: 'revokeUserApiKey',
        summary: 'Revoke a key of a user',
        description: REVOKED,
        tags,
        params: z.strictObject({ id: userIdSchema, keyId: keyIdSchema }),
        response: {
          204: z.undefined().describe('The key is revoked.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { id, keyId } = request.params;
      const { actor, origin } = byOf(request);
      if (!(await revokeKey({ keyId, ownerId: id, actor, origin })))
        throw apiError('not_found', 'this user has no such key');
      return reply.code(204).send();
    },
  );

  async function change(id: string, wanted: UserChange, request: FastifyRequest, reply: FastifyReply) {
    const by = { ...byOf(request), ifMatch: request.headers['if-match'] };
    const user = await changeUser(id, wanted, by).catch((error: unknown) => {
      if (error instanceof UserChangeRefused) throw refusalOf(error);
      throw error;
    });
    if (user === undefined) throw noSuchUser();
    reply.header('etag', userTag(user));
    return administeredUserRecord(user);
  }
}

function byOf(request: FastifyRequest): ChangedBy {
  const { caller } = request;
  return {
    actor: actorOf(caller),
    userId: caller === undefined ? undefined : userOf(caller),
    origin: originOf(request),
  };
}

function refusalOf({ reason }: UserChangeRefused) {
  if (reason === 'overtaken') return changedSinceRead();
  return reason === 'own-account'
    ? apiError('forbidden', 'you cannot change your own role, or disable or end your own account')
    : apiError('conflict', 'at least one administrator without an end date must remain');
}

function noSuchUser() {
  return apiError('not_found', 'there is no such user');
}
