import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { actorOf, userOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { originOf } from '#api/http/origin.ts';
import { type ListQuery, listResponse, type Projection, project } from '../list-request.ts';
import type { Json, PatchOperation } from '../patch.ts';
import { versionOf } from '../resources.ts';
import { ScimError } from '../scim-error.ts';
import type { ScimBy } from '../users.ts';
import {
  conditionHeaders,
  listQuery,
  listSchema,
  patchBody,
  projectionQuery,
  resourceBody,
  resourceSchema,
  SCIM_ACCESS,
  SCIM_PATH,
  SCIM_TAGS,
  SCIM_TYPE,
  scimErrors,
  scimParams,
} from './scim-schemas.ts';

/** A kind of resource, for its six routes. */
export interface ResourceRoutes<Row> {
  readonly name: 'User' | 'Group';
  readonly list: (query: ListQuery) => Promise<{ readonly rows: readonly Row[]; readonly total: number }>;
  readonly find: (id: string) => Promise<Row | undefined>;
  readonly changes: {
    create(body: Json, by: ScimBy): Promise<Row>;
    replace(id: string, body: Json, by: ScimBy): Promise<Row>;
    patch(id: string, operations: readonly PatchOperation[], by: ScimBy): Promise<Row>;
    remove(id: string, by: ScimBy): Promise<void>;
  };
  readonly resource: (row: Row) => Json;
}

const config = SCIM_ACCESS;
const tags = SCIM_TAGS;

/** GET and POST /Users; GET, PUT, PATCH and DELETE /Users/:id; the same for groups. */
export function resourceRoutes<Row>(app: ApiServer, kind: ResourceRoutes<Row>): void {
  readRoutes(app, kind);
  createRoute(app, kind);
  changeRoutes(app, kind);
}

function named<Row>(kind: ResourceRoutes<Row>) {
  const { name } = kind;
  return { ...kind, path: `${SCIM_PATH}/${name}s`, one: name.toLowerCase() };
}

/** GET of the list and of one resource. */
function readRoutes<Row>(app: ApiServer, kind: ResourceRoutes<Row>): void {
  const { name, resource, path, one } = named(kind);

  app.get(
    path,
    {
      config,
      schema: {
        operationId: `listScim${name}s`,
        summary: `List ${one}s by SCIM`,
        description: `${name}s that match a filter, in pages (RFC 7644, section 3.4.2).`,
        tags,
        querystring: listQuery,
        response: { 200: listSchema.describe('A page of the list.'), ...scimErrors(400, 401, 403, 429, 503) },
      },
    },
    async (request, reply) => {
      const { rows, total } = await kind.list(request.query);
      const resources = rows.map((row) => project(resource(row), request.query));
      return reply.type(SCIM_TYPE).send(listResponse(resources, total, request.query) as z.output<typeof listSchema>);
    },
  );

  app.get(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: `getScim${name}`,
        summary: `Get a ${one} by SCIM`,
        description: `A ${one} with its version, which a change can require.`,
        tags,
        params: scimParams,
        querystring: projectionQuery,
        headers: z.looseObject({
          'if-none-match': z.string().max(1_000).optional().describe('Version that the client has'),
        }),
        response: {
          200: resourceSchema.describe(`The ${one}.`),
          304: z.null().describe('The client has this version.'),
          ...scimErrors(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const row = await kind.find(request.params.id);
      if (row === undefined) throw new ScimError(404, `there is no such ${one}`);
      const found = resource(row);
      const plain: FastifyReply = reply;
      if (request.headers['if-none-match'] === versionOf(found))
        return plain.code(304).header('etag', versionOf(found)).send();
      return sendResource(plain, found, request.query);
    },
  );
}

/** POST: creates a resource. */
function createRoute<Row>(app: ApiServer, kind: ResourceRoutes<Row>): void {
  const { name, resource, path, one } = named(kind);

  app.post(
    path,
    {
      config,
      schema: {
        operationId: `createScim${name}`,
        summary: `Create a ${one} by SCIM`,
        description:
          name === 'User'
            ? 'Creates an account without a password and with a verified e-mail address. An account with the same address is a conflict, unless SCIM deleted it.'
            : 'Creates a team. Its name is derived from displayName.',
        tags,
        querystring: projectionQuery,
        body: resourceBody,
        response: {
          201: resourceSchema.describe(`The ${one}.`),
          ...scimErrors(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const made = resource(await kind.changes.create(request.body, byOf(request)));
      const { location } = made.meta as { readonly location: string };
      return sendResource(reply.code(201).header('location', location), made, request.query);
    },
  );
}

/** PUT, PATCH and DELETE of a resource. */
function changeRoutes<Row>(app: ApiServer, kind: ResourceRoutes<Row>): void {
  const { name, resource, path, one } = named(kind);

  app.put(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: `replaceScim${name}`,
        summary: `Replace a ${one} by SCIM`,
        description: `Omitted attributes are removed, except required attributes of a ${one}.`,
        tags,
        params: scimParams,
        querystring: projectionQuery,
        headers: conditionHeaders,
        body: resourceBody,
        response: {
          200: resourceSchema.describe(`The ${one}.`),
          ...scimErrors(400, 401, 403, 404, 409, 412, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) =>
      sendResource(
        reply,
        resource(await kind.changes.replace(request.params.id, request.body, byOf(request))),
        request.query,
      ),
  );

  app.patch(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: `changeScim${name}`,
        summary: `Change a ${one} by SCIM`,
        description: 'Applies operations (RFC 7644, section 3.5.2), including the variants of Entra ID and Okta.',
        tags,
        params: scimParams,
        querystring: projectionQuery,
        headers: conditionHeaders,
        body: patchBody,
        response: {
          200: resourceSchema.describe(`The ${one}.`),
          ...scimErrors(400, 401, 403, 404, 409, 412, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) =>
      sendResource(
        reply,
        resource(await kind.changes.patch(request.params.id, request.body.Operations, byOf(request))),
        request.query,
      ),
  );

  app.delete(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: `deleteScim${name}`,
        summary: `Delete a ${one} by SCIM`,
        description:
          name === 'User'
            ? 'Disables the account immediately and hides it from SCIM. Its entries stay in the audit log. Creating the user again restores the account.'
            : 'Deletes the team. Its members lose the grants of the team.',
        tags,
        params: scimParams,
        headers: conditionHeaders,
        response: { 204: z.null().describe('Deleted.'), ...scimErrors(401, 403, 404, 412, 429, 503) },
      },
    },
    async (request, reply) => {
      await kind.changes.remove(request.params.id, byOf(request));
      const plain: FastifyReply = reply;
      return plain.code(204).send();
    },
  );
}

function sendResource(reply: FastifyReply, resource: Json, query: Projection): FastifyReply {
  return reply.type(SCIM_TYPE).header('etag', versionOf(resource)).send(project(resource, query));
}

/** Returns the caller of a request as the actor of a change. */
export function byOf(request: FastifyRequest): ScimBy {
  const { caller } = request;
  const ifMatch = request.headers['if-match'];
  return { actor: actorOf(caller), userId: caller && userOf(caller), origin: originOf(request), ifMatch };
}
