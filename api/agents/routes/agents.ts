import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { listOf } from '#api/http/queries/page-query.ts';
import { includeOf } from '#api/http/queries/query-include.ts';
import { queryFlagOr } from '#api/http/queries/query-values.ts';
import { ifMatchHeaders } from '#api/http/responses/if-match.ts';
import { agentSchema } from '#schemas/api/agents.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { agentConfigSchema, sourceOf } from '../agent-config.ts';
import { agentTag } from '../agents.ts';
import { agentExampleRecord, agentFileRecord, agentRecord } from '../records/agent-record.ts';
import type { Requester } from '../requester.ts';
import { viewerOf } from '../requester.ts';
import { listWorkspace, livePaths } from '../tables/agent-files.ts';
import { type Agent, agentStatistics, listAgents, NO_STATISTICS } from '../tables/agents.ts';
import {
  AGENT_ERRORS,
  AGENT_TAGS,
  type AgentRouteDeps,
  agentParams,
  pageOf,
  READ,
  requesterOf,
  WRITE,
} from './deps.ts';

const description = storableText(10_000, 0);
const visibility = z.enum(['private', 'shared']);
const newAgentSchema = z
  .strictObject({
    name: storableText(200).describe('Display name'),
    slug: z
      .string()
      .regex(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/, 'must be lower-case letters, digits and dashes')
      .describe('Unique name for URLs'),
    description: description.optional(),
    config: agentConfigSchema.optional(),
    visibility: visibility.describe('shared: all users who may run agents may run this one').optional(),
  })
  .meta({ example: { name: 'Triage', slug: 'triage', config: { runtime: 'script' } } });
const changeSchema = z
  .strictObject({
    name: storableText(200).optional(),
    description: description.optional(),
    config: agentConfigSchema.optional(),
    visibility: visibility.optional(),
    archived: z.boolean().describe('An archived agent is not run and not listed').optional(),
  })
  .meta({ example: { description: 'Triages detections' } });
const answer = z.object({ agent: agentSchema });

/** GET, POST /api/v1/agents; GET, PATCH, DELETE /api/v1/agents/:agentId. Long: each route includes its description. */
export function agentRoutes(app: ApiServer, { database, agents, dataset }: AgentRouteDeps): void {
  const withFiles = async (agent: Agent) => {
    const [statistics, files] = await Promise.all([
      agentStatistics(database, [agent.id]),
      listWorkspace(database, agent.id, agent.latestVersion),
    ]);
    const record = agentRecord(
      agent,
      statistics.get(agent.id) ?? NO_STATISTICS,
      new Set(files.map(({ path }) => path)),
    );
    return { record, files };
  };
  const parts = async (requester: Requester, agent: Agent, include: ReadonlySet<'files' | 'dataset'>) => {
    const { record, files } = await withFiles(agent);
    return {
      ...record,
      ...(include.has('files') ? { files: files.map(agentFileRecord) } : {}),
      ...(include.has('dataset') ? { dataset: (await dataset.list(requester, agent.id)).map(agentExampleRecord) } : {}),
    };
  };

  app.get(
    '/api/v1/agents',
    {
      config: READ,
      schema: {
        operationId: 'listAgents',
        summary: 'List agents',
        description: 'The agents the caller may see, newest first, with counts of their executions.',
        tags: AGENT_TAGS,
        querystring: z.strictObject({
          search: storableText(200)
            .optional()
            .describe('Substring of id, slug, name or description, case-insensitive')
            .meta({ example: 'triage' }),
          includeArchived: queryFlagOr(false).describe('Archived ones too').meta({ example: false }),
          ...pageOf(500),
        }),
        response: { 200: listOf(agentSchema).describe('The agents.'), ...AGENT_ERRORS },
      },
    },
    async (request) => {
      const { search, includeArchived, limit, offset } = request.query;
      const viewer = viewerOf(requesterOf(request));
      const { agents: page, total } = await listAgents(database, { viewer, search, includeArchived, limit, offset });
      const paths = await livePaths(
        database,
        page.map(({ id, config }) => ({ agentId: id, path: sourceOf(config) })),
      );
      const data = page.map((agent) => agentRecord(agent, agent.statistics, paths.get(agent.id) ?? new Set()));
      return { data, total, limit, offset };
    },
  );

  app.post(
    '/api/v1/agents',
    {
      config: WRITE,
      schema: {
        operationId: 'createAgent',
        summary: 'Create an agent',
        description: 'The new workspace contains AGENT.md, agent.js and output.schema.json.',
        tags: AGENT_TAGS,
        body: newAgentSchema,
        response: { 201: answer.describe('The agent.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const agent = await agents.create(requesterOf(request), request.body);
      return reply.code(201).send({ agent: (await withFiles(agent)).record });
    },
  );

  app.get(
    '/api/v1/agents/:agentId',
    {
      config: READ,
      schema: {
        operationId: 'getAgent',
        summary: 'Get an agent',
        description: 'Finds an agent by id or slug. The ETag covers the properties that PATCH can change.',
        tags: AGENT_TAGS,
        params: agentParams,
        querystring: z.strictObject({ include: includeOf(['files', 'dataset']) }),
        response: { 200: answer.describe('The agent; its ETag in the header.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const requester = requesterOf(request);
      const agent = await agents.find(requester, request.params.agentId);
      reply.header('etag', agentTag(agent));
      return { agent: await parts(requester, agent, request.query.include ?? new Set()) };
    },
  );

  app.patch(
    '/api/v1/agents/:agentId',
    {
      config: WRITE,
      schema: {
        operationId: 'changeAgent',
        summary: 'Change an agent',
        description:
          'Omitted fields are unchanged. Executions keep the configuration that they were started with. With the header If-Match, the change succeeds only if the agent has not changed since it was read (otherwise a 400 that names if-match).',
        tags: AGENT_TAGS,
        params: agentParams,
        headers: ifMatchHeaders('agent'),
        body: changeSchema,
        response: {
          200: answer.describe('The current agent, with its ETag in the header.'),
          ...AGENT_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const { params, body, headers } = request;
      const agent = await agents.change(requesterOf(request), params.agentId, body, headers['if-match']);
      reply.header('etag', agentTag(agent));
      return { agent: (await withFiles(agent)).record };
    },
  );

  app.delete(
    '/api/v1/agents/:agentId',
    {
      config: WRITE,
      schema: {
        operationId: 'deleteAgent',
        summary: 'Delete an agent',
        description:
          'Same as PATCH with `archived`: the agent is no longer listed and cannot be run. Executions that were accepted before continue. Its files, versions, examples and executions can still be read, and its slug remains taken. PATCH with `archived: false` restores it. Idempotent.',
        tags: AGENT_TAGS,
        params: agentParams,
        headers: ifMatchHeaders('agent'),
        response: { 204: z.undefined().describe('It is deleted.'), ...AGENT_ERRORS },
      },
    },
    async (request, reply) => {
      const { params, headers } = request;
      await agents.change(requesterOf(request), params.agentId, { archived: true }, headers['if-match']);
      return reply.code(204).send();
    },
  );
}
