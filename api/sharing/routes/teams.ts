import { z } from 'zod';
import { userOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { listOf, PAGE_SHAPE } from '#api/http/queries/page-query.ts';
import { queryFlagOr } from '#api/http/queries/query-values.ts';
import type { Database } from '#api/postgres/database.ts';
import { newTeamSchema, teamChangeSchema, teamSchema } from '#schemas/api/sharing.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { listTeams, type TeamWithMembers } from '../tables/teams.ts';
import type { Teams } from '../teams.ts';
import { sharedBy } from './shared-by.ts';

export interface TeamRoutesDeps {
  readonly database: Database;
  readonly teams: Teams;
}

const ADMIN = { access: { by: 'admin' } } as const;
const READ = { access: { by: 'key-or-session', scope: 'workflows:read', or: 'agents:read' } } as const;
const tags = ['administration'];
const params = z.strictObject({
  id: storableText(100).describe('Id (team_…) of the team').meta({ example: 'team_01' }),
});

/**
 * GET /api/v1/teams; POST /api/admin/teams, PATCH and DELETE …/:id.
 * Long: each route includes its description.
 */
export function teamRoutes(app: ApiServer, { database, teams }: TeamRoutesDeps): void {
  app.get(
    '/api/v1/teams',
    {
      config: READ,
      schema: {
        operationId: 'listTeams',
        summary: 'List teams',
        description:
          'Teams to which workflows and agents can be granted, by name. Members are visible to administrators and to members of the team.',
        tags: ['workflows'],
        querystring: z.strictObject({
          mine: queryFlagOr(false).describe('Only teams that the caller is a member of'),
          ...PAGE_SHAPE,
        }),
        response: { 200: listOf(teamSchema).describe('Teams.'), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async (request) => {
      const { mine, limit, offset } = request.query;
      const { caller } = request;
      const me = caller && userOf(caller);
      const { rows, total } = await listTeams(database, { limit, offset }, mine ? me : undefined);
      const all = caller?.role === 'admin';
      const data = rows.map((team) => teamRecord(team, all || team.members.some(({ id }) => id === me)));
      return { data, total, limit, offset };
    },
  );

  app.post(
    '/api/admin/teams',
    {
      config: ADMIN,
      schema: {
        operationId: 'createTeam',
        summary: 'Create a team',
        description: 'A group of users to which workflows and agents can be granted, and which can be an approver.',
        tags,
        body: newTeamSchema,
        response: {
          201: teamSchema.describe('The team.'),
          ...errorResponses(400, 401, 403, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const team = await teams.create(request.body, sharedBy(request));
      return reply.code(201).send(teamRecord(team, true));
    },
  );

  app.patch(
    '/api/admin/teams/:id',
    {
      config: ADMIN,
      schema: {
        operationId: 'changeTeam',
        summary: 'Change a team',
        description: 'Omitted fields stay as they are. `members` replaces all members.',
        tags,
        params,
        body: teamChangeSchema,
        response: {
          200: teamSchema.describe('The changed team.'),
          ...errorResponses(400, 401, 403, 404, 413, 415, 429, 503),
        },
      },
    },
    async (request) => teamRecord(await teams.change(request.params.id, request.body, sharedBy(request)), true),
  );

  app.delete(
    '/api/admin/teams/:id',
    {
      config: ADMIN,
      schema: {
        operationId: 'deleteTeam',
        summary: 'Delete a team',
        description:
          'Its members lose the permissions of the team. Workflows with this team as an approver wait for the other approvers.',
        tags,
        params,
        response: {
          204: z.undefined().describe('The team is deleted.'),
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      await teams.remove(request.params.id, sharedBy(request));
      return reply.code(204).send();
    },
  );
}

function teamRecord(team: TeamWithMembers, withMembers: boolean): z.input<typeof teamSchema> {
  const { id, name, description, members, createdAt, updatedAt } = team;
  return {
    id,
    name,
    description,
    memberCount: members.length,
    ...(withMembers ? { members: members.map((member) => ({ ...member })) } : {}),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}
