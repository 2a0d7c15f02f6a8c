import type { FastifyError } from 'fastify';
import { ApiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { readJsonBodies } from '#api/http/plugins/json-body.ts';
import type { Database } from '#api/postgres/database.ts';
import { MAX_BODY_BYTES } from './discovery.ts';
import { createScimGroups, type ScimGroupsDeps } from './groups.ts';
import { listPart } from './list-request.ts';
import { groupResource, userResource } from './resources.ts';
import { bulkRoute, bulkTarget } from './routes/bulk-route.ts';
import { discoveryRoutes } from './routes/discovery-routes.ts';
import { type ResourceRoutes, resourceRoutes } from './routes/resource-routes.ts';
import { SCIM_PATH, SCIM_TYPE } from './routes/scim-schemas.ts';
import { errorBody, ScimError } from './scim-error.ts';
import { findScimGroup, GROUP_COLUMNS, listScimGroups, type ScimGroupRow } from './tables/scim-groups.ts';
import { findScimUser, listScimUsers, type ScimUserRow, USER_COLUMNS } from './tables/scim-users.ts';
import { createScimUsers } from './users.ts';

export interface ScimDeps extends ScimGroupsDeps {
  readonly database: Database;
  /** Returns the public URL of the server, without a trailing slash. */
  readonly publicUrl: () => string;
}

/** Registers SCIM 2.0 (RFC 7643, RFC 7644): users and groups that an identity provider manages. */
export function registerScim(app: ApiServer, deps: ScimDeps): void {
  const { database, publicUrl } = deps;
  const base = () => publicUrl() + SCIM_PATH;
  // A separate scope, because bodies and errors have the format of SCIM.
  app.register(async (inner) => {
    const scope = inner as ApiServer;
    scope.removeAllContentTypeParsers();
    readJsonBodies(scope, [SCIM_TYPE, 'application/json'], { bodyLimit: MAX_BODY_BYTES });
    scope.setErrorHandler((error: FastifyError | Error, _request, reply) => {
      const refusal = refusalOf(error);
      // Other errors are rethrown to the general error handler, which logs them and hides internals.
      if (refusal === undefined) throw error;
      const { status, detail, scimType, headers } = refusal;
      return reply
        .code(status)
        .headers(headers)
        .type(SCIM_TYPE)
        .send(errorBody(status, detail, scimType));
    });
    discoveryRoutes(scope, base);
    const users = {
      name: 'User',
      list: (query) => listScimUsers(database, listPart(query, USER_COLUMNS)),
      find: (id) => findScimUser(database, id),
      changes: createScimUsers(deps),
      resource: (row) => userResource(row, base()),
    } satisfies ResourceRoutes<ScimUserRow>;
    const groups = {
      name: 'Group',
      list: (query) => listScimGroups(database, listPart(query, GROUP_COLUMNS)),
      find: (id) => findScimGroup(database, id),
      changes: createScimGroups(deps),
      resource: (row) => groupResource(row, base()),
    } satisfies ResourceRoutes<ScimGroupRow>;
    resourceRoutes(scope, users);
    resourceRoutes(scope, groups);
    bulkRoute(scope, { Users: bulkTarget(users), Groups: bulkTarget(groups) }, { base, logger: deps.logger });
  });
}

function refusalOf(error: FastifyError | Error) {
  if (error instanceof ScimError) {
    const { status, message: detail, scimType } = error;
    return { status, detail, scimType, headers: {} };
  }
  if (error instanceof ApiError) {
    const { statusCode: status, message: detail, headers } = error;
    return { status, detail, scimType: status === 400 ? ('invalidSyntax' as const) : undefined, headers };
  }
  const { statusCode = 500 } = error as FastifyError;
  if (statusCode < 400 || statusCode >= 500) return undefined;
  return { status: statusCode, detail: 'the request is malformed', scimType: undefined, headers: {} };
}
