import { z } from 'zod';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type { Status } from './status.ts';
import { STATUS_PAGE_POLICY, statusPage } from './status-page.ts';

const stateShape = z.enum(['ok', 'degraded', 'down']);
const moment = z.string().nullable();

const answer = z.object({
  status: stateShape.describe('the worst of the components'),
  checkedAt: z.string().describe('time of the check; at most ten seconds ago'),
  components: z.array(
    z.object({
      name: z.string().describe('database, event-store, shared-state, kafka, ingest, workflows or outputs'),
      state: stateShape,
      since: moment.describe('when the state began; null: no other state was recorded in the last two weeks'),
    }),
  ),
  ingest: z.object({
    lagRecords: z
      .int()
      .nullable()
      .describe('records that are not stored yet; null without Kafka, or while it does not respond'),
    lastEventAt: moment.describe('when the latest event was stored; null: not within a day'),
  }),
  incidents: z
    .array(
      z.object({
        component: z.string(),
        state: z.enum(['degraded', 'down']).describe('the worst state of the incident'),
        startedAt: z.string(),
        endedAt: moment.describe('null: the incident continues'),
      }),
    )
    .describe('incidents of the last two weeks of at least a minute, latest first; at most 50'),
});

const ANYONE = { access: { by: 'anyone' } } as const;
/** Readers behind one proxy share a response. */
const CACHED = 'public, max-age=10';

/**
 * GET /api/status for programs, GET /status for people: the state of the installation. Both are public and contain no
 * hosts, names, versions or error texts.
 */
export function statusRoutes(app: ApiServer, readStatus: () => Promise<Status>): void {
  app.get(
    '/api/status',
    {
      config: ANYONE,
      schema: {
        operationId: 'getStatus',
        summary: 'Status of the installation',
        description:
          'States of the components of the whole installation, lag of ingest, and incidents. The status is always 200: probes use /readyz and /api/health.',
        tags: ['operation'],
        response: { 200: answer.describe('The result of the last check.'), ...errorResponses(429) },
      },
    },
    async (_request, reply) => {
      reply.header('cache-control', CACHED);
      return asAnswer(await readStatus());
    },
  );
  app.get(
    '/status',
    {
      config: ANYONE,
      schema: {
        operationId: 'getStatusPage',
        summary: 'Status of the installation, as a page',
        description: 'The content of /api/status as a page for people.',
        tags: ['operation'],
        response: {
          200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } },
          ...errorResponses(429),
        },
      },
    },
    async (_request, reply) => {
      reply.headers({ 'cache-control': CACHED, 'content-security-policy': STATUS_PAGE_POLICY });
      return reply.type('text/html; charset=utf-8').send(statusPage(await readStatus()));
    },
  );
}

function asAnswer({ status, checkedMs, components, ingest, incidents }: Status): z.output<typeof answer> {
  return {
    status,
    checkedAt: iso(checkedMs),
    components: components.map(({ name, state, sinceMs }) => ({ name, state, since: isoOrNull(sinceMs) })),
    ingest: { lagRecords: ingest.lagRecords, lastEventAt: isoOrNull(ingest.lastEventMs) },
    incidents: incidents.map(({ component, state, startedAt, endedAt }) => ({
      component,
      state,
      startedAt: startedAt.toISOString(),
      endedAt: endedAt?.toISOString() ?? null,
    })),
  };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function isoOrNull(ms: number | null): string | null {
  return ms === null ? null : iso(ms);
}
