import type { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { resourceTypes, schemas, serviceProviderConfig } from '../discovery.ts';
import { listResponse } from '../list-request.ts';
import type { Json } from '../patch.ts';
import { ScimError } from '../scim-error.ts';
import {
  listSchema,
  resourceSchema,
  SCIM_ACCESS,
  SCIM_PATH,
  SCIM_TAGS,
  SCIM_TYPE,
  scimErrors,
  scimParams,
} from './scim-schemas.ts';

const config = SCIM_ACCESS;
const tags = SCIM_TAGS;

/** Discovery routes, by which clients determine the capabilities of this service. */
export function discoveryRoutes(app: ApiServer, base: () => string): void {
  app.get(
    `${SCIM_PATH}/ServiceProviderConfig`,
    {
      config,
      schema: {
        operationId: 'getScimServiceProviderConfig',
        summary: 'Get the SCIM service provider configuration',
        description: 'Supported: filters, sorting, PATCH, ETags and bulk requests. Not supported: passwords.',
        tags,
        response: { 200: resourceSchema.describe('The configuration.'), ...scimErrors(401, 403, 429) },
      },
    },
    async (_request, reply) =>
      reply.type(SCIM_TYPE).send(serviceProviderConfig(base()) as z.output<typeof resourceSchema>),
  );
  listOf(app, 'ResourceTypes', () => resourceTypes(base()));
  listOf(app, 'Schemas', () => schemas(base()));
}

function listOf(app: ApiServer, name: 'ResourceTypes' | 'Schemas', all: () => readonly Json[]): void {
  const one = name.slice(0, -1);
  app.get(
    `${SCIM_PATH}/${name}`,
    {
      config,
      schema: {
        operationId: `listScim${name}`,
        summary: `List ${name === 'Schemas' ? 'schemas' : 'resource types'} of SCIM`,
        description: 'For users and groups.',
        tags,
        response: { 200: listSchema.describe('The complete list.'), ...scimErrors(401, 403, 429) },
      },
    },
    async (_request, reply) =>
      reply.type(SCIM_TYPE).send(listResponse(all(), all().length, {}) as z.output<typeof listSchema>),
  );
  app.get(
    `${SCIM_PATH}/${name}/:id`,
    {
      config,
      schema: {
        operationId: `getScim${one}`,
        summary: `Get a ${name === 'Schemas' ? 'schema' : 'resource type'} of SCIM`,
        description: 'By its id.',
        tags,
        params: scimParams,
        response: { 200: resourceSchema.describe('The requested object.'), ...scimErrors(401, 403, 404, 429) },
      },
    },
    async (request, reply) => {
      const found = all().find(({ id }) => id === request.params.id);
      if (found === undefined) throw new ScimError(404, 'there is no such resource');
      return reply.type(SCIM_TYPE).send(found as z.output<typeof resourceSchema>);
    },
  );
}
