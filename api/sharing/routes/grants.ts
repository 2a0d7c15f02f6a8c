import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { accessSchema, grantSchema, newGrantSchema } from '#schemas/api/sharing.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import type { UnitKind } from '../conditions.ts';
import type { Grants } from '../grants.ts';
import { permissionsOf, type SharedUnit } from '../permissions.ts';
import type { GrantWithNames } from '../tables/automation-grants.ts';
import { viewerOf } from '../viewer.ts';
import { sharedBy } from './shared-by.ts';

export interface GrantRoutesConfig {
  readonly kind: UnitKind;
  /** Resolves to the workflow or agent, with the grants of the caller. Rejects with a 404 if the caller may not see it. */
  readonly find: (request: FastifyRequest, idOrSlug: string) => Promise<SharedUnit & { readonly id: string }>;
}

const errors = errorResponses(400, 401, 403, 404, 429, 503);
const grants = z.object({ data: z.array(grantSchema) });

/**
 * GET and POST /api/v1/workflows/:id/grants, DELETE …/:grant, GET …/access; the same for agents.
 * Long: each route includes its description.
 */
export function grantRoutes(
  app: ApiServer,
  { grants: store }: { readonly grants: Grants },
  { kind, find }: GrantRoutesConfig,
): void {
  const Name = kind === 'workflow' ? 'Workflow' : 'Agent';
  const tags = [`${kind}s`];
  const config = { access: { by: 'key-or-session', scope: `${kind}s:write` } } as const;
  const id = storableText(100).describe(`Id or slug of the ${kind}`).meta({ example: 'triage' });
  const unitOf = async (request: FastifyRequest, idOrSlug: string) => {
    const unit = await find(request, idOrSlug);
    if (!permissionsOf(viewerOf(request), unit).share)
      throw apiError(
        'forbidden',
        `only its owner and administrators share ${kind === 'agent' ? 'an agent' : 'a workflow'}`,
      );
    return { kind, id: unit.id };
  };
  const path = `/api/v1/${kind}s/:id/grants` as const;

  app.get(
    `/api/v1/${kind}s/:id/access`,
    {
      config: { access: { by: 'key-or-session', scope: `${kind}s:read` } },
      schema: {
        operationId: `get${Name}Access`,
        summary: `Read the caller's permissions on ${kind === 'agent' ? 'an agent' : 'a workflow'}`,
        description:
          'Permissions from the role of the caller, ownership, visibility and grants. Scopes of a key can restrict them further.',
        tags,
        params: z.strictObject({ id }),
        response: { 200: accessSchema.describe('The permissions of the caller.'), ...errors },
      },
    },
    async (request) => {
      const unit = await find(request, request.params.id);
      return { visibility: unit.visibility, ...permissionsOf(viewerOf(request), unit) };
    },
  );

  app.get(
    path,
    {
      config,
      schema: {
        operationId: `list${Name}Grants`,
        summary: `List grants of ${kind === 'agent' ? 'an agent' : 'a workflow'}`,
        description: 'Permissions of other users. Only the owner and administrators may read and change them.',
        tags,
        params: z.strictObject({ id }),
        response: { 200: grants.describe('Grants, oldest first.'), ...errors },
      },
    },
    async (request) => ({ data: (await store.list(await unitOf(request, request.params.id))).map(grantRecord) }),
  );

  app.post(
    path,
    {
      config,
      schema: {
        operationId: `grant${Name}`,
        summary: `Share ${kind === 'agent' ? 'an agent' : 'a workflow'}`,
        description:
          'Grants a permission to a user, a team, or all users with a role. An existing grant is not changed.',
        tags,
        params: z.strictObject({ id }),
        body: newGrantSchema,
        response: { 200: grants.describe('All present grants.'), ...errors },
      },
    },
    async (request) => {
      const unit = await unitOf(request, request.params.id);
      await store.add(unit, request.body, sharedBy(request));
      return { data: (await store.list(unit)).map(grantRecord) };
    },
  );

  app.delete(
    `${path}/:grant`,
    {
      config,
      schema: {
        operationId: `revoke${Name}Grant`,
        summary: `Remove a grant of ${kind === 'agent' ? 'an agent' : 'a workflow'}`,
        description: 'Queued executions of a user who has lost the permission are rejected when they would start.',
        tags,
        params: z.strictObject({
          id,
          grant: storableText(100).describe('Id (grant_…) of the grant').meta({ example: 'grant_01' }),
        }),
        response: { 204: z.undefined().describe('The grant is removed.'), ...errors },
      },
    },
    async (request, reply) => {
      const unit = await unitOf(request, request.params.id);
      if (!(await store.remove(unit, request.params.grant, sharedBy(request))))
        throw apiError('not_found', 'there is no such grant', 'grant');
      return reply.code(204).send();
    },
  );
}

function grantRecord(grant: GrantWithNames): z.input<typeof grantSchema> {
  const { id, permission, username, teamName, role, createdAt } = grant;
  return { id, permission, user: username, team: teamName, role, createdAt: createdAt.toISOString() };
}
