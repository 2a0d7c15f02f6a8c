import swagger from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import fp from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { Access } from '../access/access.ts';
import type { Document } from '../description/document.ts';
import { finishDescription } from '../description/finish-description.ts';
import { registerSchemaNames } from '../description/schema-names.ts';
import { errorResponses } from '../error-responses.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Body schemas by media type, as OpenAPI 3.0, for a route that parses its body itself. They are only descriptions. */
    describedBody?: Readonly<Record<string, { readonly schema: object }>>;
  }
}

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'An API key, `<keyId>.<secret>`.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'trapline-session',
    description: 'Set at sign-in; `__Host-trapline-session` over https.',
  },
  adminKey: { type: 'apiKey', in: 'header', name: 'x-admin-key', description: '`ADMIN_KEY` of the configuration.' },
} as const;

/** Describes all routes as OpenAPI 3.0, from their validation schemas and declared access. */
export const openapi = fp(
  async (app) => {
    registerSchemaNames();
    await app.register(swagger, {
      openapi: {
        openapi: '3.0.3',
        info: {
          title: 'Trapline',
          version: PRODUCT_VERSION,
          description:
            'Detection of memory-exploit attacks: events, detections, workflows, agents, accounts and administration.',
          license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
          contact: { name: 'Trapline' },
        },
        servers: [{ url: '/', description: 'The server of this description' }],
        components: { securitySchemes: SCHEMES },
      },
      transform: (route) => {
        const { access, describedBody } = route.route.config ?? {};
        const transformed = jsonSchemaTransform({ ...route, schema: withCommonResponses(route.schema) });
        const body = describedBody && { body: { content: describedBody } };
        return {
          // A path parameter of OpenAPI needs a name.
          url: transformed.url.replace('*', ':page'),
          schema: {
            ...withNamedWildcard(transformed.schema),
            ...body,
            ...(access && { security: securityOf(access), 'x-required-access': requiredAccess(access) }),
          },
        };
      },
      transformObject: (given) =>
        'openapiObject' in given
          ? (finishDescription(given.openapiObject as unknown as Document) as unknown as typeof given.openapiObject)
          : given.swaggerObject,
    });
  },
  { name: 'openapi' },
);

/** Every route can respond with 431 (headers too long) and with 503 (server is stopping). */
function withCommonResponses<S extends { response?: unknown; hide?: boolean }>(schema: S): S {
  return { ...schema, response: { ...errorResponses(431, 503), ...(schema?.response as object) } };
}

function withNamedWildcard(schema: FastifySchema): FastifySchema {
  const params = schema.params as { properties?: Record<string, object>; required?: string[] } | undefined;
  const { '*': page, ...others } = params?.properties ?? {};
  if (page === undefined) return schema;
  const required = params?.required?.map((name) => (name === '*' ? 'page' : name));
  return { ...schema, params: { ...params, required, properties: { ...others, page } } };
}

function securityOf(access: Access): { [scheme: string]: string[] }[] {
  switch (access.by) {
    case 'anyone':
      return [];
    case 'session':
      return [{ session: [] }];
    case 'admin':
      return [{ session: [] }, { key: [] }];
    case 'admin-key':
      return [{ adminKey: [] }];
    case 'key':
    case 'any-key':
      return [{ key: [] }, { bearer: [] }];
    case 'key-or-session':
      return [{ key: [] }, { bearer: [] }, { session: [] }];
  }
}

function requiredAccess(access: Access): string {
  switch (access.by) {
    case 'anyone':
      return 'none';
    case 'session':
      return 'session';
    case 'admin':
      return 'role admin';
    case 'admin-key':
      return 'admin key';
    case 'any-key':
      return 'any key';
    case 'key':
      return `scope ${access.scope}`;
    case 'key-or-session':
      return access.or === undefined ? `scope ${access.scope}` : `scope ${access.scope} or ${access.or}`;
  }
}
