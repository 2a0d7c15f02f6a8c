import swagger from '@fastify/swagger';
import fp from 'fastify-plugin';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { errorResponses } from '../http/error-responses.ts';
import type { Access } from '../platform/access/access.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Schemas of the body by media type, in the words of OpenAPI 3.0, for a route that reads its body itself: they describe it and check nothing. */
    describedBody?: Readonly<Record<string, { readonly schema: object }>>;
  }
}

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'x-api-key', description: 'A key, `<keyId>.<secret>`.' },
  bearer: { type: 'http', scheme: 'bearer', description: 'The same key as a bearer token.' },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: 'trapline-session',
    description: 'Set at sign-in; `__Host-trapline-session` over https.',
  },
  adminKey: { type: 'apiKey', in: 'header', name: 'x-admin-key', description: 'ADMIN_KEY of the configuration.' },
} as const;

/** Describes all routes as OpenAPI 3.0, from the schemas they check with and the access they declare; answers it at /api/docs. */
export const openapi = fp<{ readonly version: string }>(
  async (app, { version }) => {
    await app.register(swagger, {
      openapi: {
        openapi: '3.0.3',
        info: {
          title: 'Trapline',
          version,
          description:
            'Detection of memory-exploit attacks, and the platform around it: accounts, keys, scrapers, administration.',
        },
        components: { securitySchemes: SCHEMES },
      },
      transform: (route) => {
        const { access, describedBody } = route.route.config ?? {};
        const transformed = jsonSchemaTransform({ ...route, schema: withAnswersOfAll(route.schema) });
        const { schema } = transformed;
        const body = describedBody && { body: { content: describedBody } };
        return { ...transformed, schema: { ...schema, ...body, ...(access && { security: securityOf(access) }) } };
      },
    });
  },
  { name: 'openapi' },
);

/** What may be answered whatever the route: headers that are too long, before any is known, and 503 by a server that is told to stop. */
function withAnswersOfAll<S extends { response?: unknown; hide?: boolean }>(schema: S): S {
  return { ...schema, response: { ...errorResponses(431, 503), ...(schema?.response as object) } };
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
      return [{ key: [] }, { bearer: [] }];
    case 'key-or-session':
      return [{ key: [] }, { bearer: [] }, { session: [] }];
  }
}
