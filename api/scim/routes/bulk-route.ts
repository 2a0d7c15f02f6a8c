import type { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { type BulkDeps, type BulkTarget, MAX_OPERATIONS, runBulk } from '../bulk.ts';
import type { Json } from '../patch.ts';
import { versionOf } from '../resources.ts';
import { ScimError } from '../scim-error.ts';
import { byOf, type ResourceRoutes } from './resource-routes.ts';
import {
  bulkBody,
  bulkResponse,
  patchBody,
  resourceBody,
  SCIM_ACCESS,
  SCIM_PATH,
  SCIM_TAGS,
  SCIM_TYPE,
  scimErrors,
} from './scim-schemas.ts';

const BULK_RESPONSE = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';

/** POST /Bulk: several changes of users and groups in one request, RFC 7644, section 3.7. */
export function bulkRoute(
  app: ApiServer,
  targets: BulkDeps['targets'],
  { base, logger }: { readonly base: () => string; readonly logger: { warn(fields: object, message: string): void } },
): void {
  app.post(
    `${SCIM_PATH}/Bulk`,
    {
      config: SCIM_ACCESS,
      schema: {
        operationId: 'applyScimBulk',
        summary: 'Apply several changes by SCIM',
        description: `Up to ${MAX_OPERATIONS} operations, each with a separate outcome (RFC 7644, section 3.7). Operations may refer to resources that others create as \`bulkId:…\`.`,
        tags: SCIM_TAGS,
        body: bulkBody,
        response: {
          200: bulkResponse.describe('The outcomes of the executed operations.'),
          ...scimErrors(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { Operations: operations, failOnErrors } = request.body;
      if (operations.length > MAX_OPERATIONS)
        throw new ScimError(413, `a request has at most ${MAX_OPERATIONS} operations, this one ${operations.length}`);
      const outcomes = await runBulk({ operations, failOnErrors }, byOf(request), {
        targets,
        locationOf: (kind) => `${base()}/${kind}`,
        versionOf,
        onFailure: (error) => logger.warn({ err: error, requestId: request.id }, 'bulk operation failed'),
      });
      return reply
        .type(SCIM_TYPE)
        .send({ schemas: [BULK_RESPONSE], Operations: outcomes } as z.output<typeof bulkResponse>);
    },
  );
}

/** Returns the operations on a kind of resource for bulk requests, with validation of their bodies. */
export function bulkTarget<Row>({ changes, resource }: Pick<ResourceRoutes<Row>, 'changes' | 'resource'>): BulkTarget {
  const shown = (row: Row): Json => resource(row);
  return {
    create: async (body, by) => shown(await changes.create(checked(resourceBody, body), by)),
    replace: async (id, body, by) => shown(await changes.replace(id, checked(resourceBody, body), by)),
    patch: async (id, body, by) => shown(await changes.patch(id, checked(patchBody, body).Operations, by)),
    remove: (id, by) => changes.remove(id, by),
  };
}

function checked<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ScimError(400, `data.${issue?.path.join('.')}: ${issue?.message}`, 'invalidSyntax');
}
