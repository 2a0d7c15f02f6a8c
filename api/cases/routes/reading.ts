import { z } from 'zod';
import { getDetection, getDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { listEvents } from '#analytics/clickhouse/read-models/events.ts';
import { eventColumns } from '#analytics/formats/event-columns.ts';
import { eventMessage } from '#analytics/formats/event-message.ts';
import { eventRecord } from '#api/detections/records/event-record.ts';
import { findTriage } from '#api/detections/tables/detection-triage.ts';
import { withDecision } from '#api/detections/triage/with-decision.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { momentQuery } from '#api/http/queries/moment-query.ts';
import type { Database } from '#api/postgres/database.ts';
import { caseMetricsSchema, timelineSchema } from '#schemas/api/cases.ts';
import { detectionIdSchema } from '#schemas/api/detections.ts';
import { caseReport } from '../markdown/case-report.ts';
import { detectionMarkdown, type EvidenceLine } from '../markdown/detection-markdown.ts';
import { newestCaseEvents } from '../tables/case-events.ts';
import { caseFigures, findCase } from '../tables/cases.ts';
import { newestComments } from '../tables/comments.ts';
import { MAX_HAPPENINGS, timelineOf } from '../timeline.ts';
import { caseParams, wholeCase } from './cases.ts';
import { CASE_TAGS, type CaseRoutesDeps, noSuchCase, READ, READ_ERRORS } from './deps.ts';

/** Maximum number of events in the Markdown of a detection. */
const MAX_EVIDENCE = 20;
const DAY_MS = 86_400_000;
const MARKDOWN = { 'text/markdown': { schema: z.string() } } as const;

const metricsQuery = z.strictObject({
  from: momentQuery('lower')
    .optional()
    .describe(
      'Cases opened at this time or later: ISO 8601, or relative such as now()-7d (s, m, h, d, w); default: 30 days ago',
    )
    .meta({ example: 'now()-7d' }),
  to: momentQuery('lower')
    .optional()
    .describe('Cases opened before this time; default: now')
    .meta({ example: '2026-04-01T00:00:00Z' }),
});

/**
 * Routes for the timeline, the report and figures of cases, and for the Markdown of a detection.
 * Long: each route includes its description.
 */
export function caseReadingRoutes(
  app: ApiServer,
  { database, clickhouse, publicUrl }: Pick<CaseRoutesDeps, 'database' | 'clickhouse' | 'publicUrl'>,
): void {
  app.get(
    '/api/cases/:id/timeline',
    {
      config: READ,
      schema: {
        operationId: 'getCaseTimeline',
        summary: 'Read the timeline of a case',
        description: 'Changes, detections, tasks, files, executions and comments in chronological order.',
        tags: CASE_TAGS,
        params: caseParams,
        response: { 200: timelineSchema.describe('The timeline.'), ...READ_ERRORS },
      },
    },
    async ({ params: { id } }) => {
      if ((await findCase(database, id)) === undefined) throw noSuchCase();
      const { happenings, complete } = await readTimeline(database, id);
      return { data: [...happenings], complete };
    },
  );

  app.get(
    '/api/cases/:id/report',
    {
      config: READ,
      schema: {
        operationId: 'getCaseReport',
        summary: 'Read the report of a case',
        description: 'Facts, tasks, detections, files and the timeline as Markdown.',
        tags: CASE_TAGS,
        params: caseParams,
        response: { 200: { description: 'The report.', content: MARKDOWN }, ...READ_ERRORS },
      },
    },
    async ({ params: { id } }, reply) => {
      const of = await wholeCase(database, id);
      if (of === undefined) throw noSuchCase();
      const stored = new Map((await getDetections(clickhouse, of.detectionIds)).map((one) => [one.id, one]));
      const detections = of.detectionIds.flatMap((one) => stored.get(one) ?? []);
      const timeline = await readTimeline(database, id);
      const report = caseReport({ of, detections, timeline, publicUrl: publicUrl(), at: new Date() });
      return reply.type('text/markdown; charset=utf-8').send(report);
    },
  );

  app.get(
    '/api/case-metrics',
    {
      config: READ,
      schema: {
        operationId: 'getCaseMetrics',
        summary: 'Read figures of cases',
        description:
          'Number of cases opened in a time range, and the 50th and 95th percentile of the times to acknowledge and to close.',
        tags: CASE_TAGS,
        querystring: metricsQuery,
        response: { 200: caseMetricsSchema.describe('Figures.'), ...errorResponses(400, 401, 403, 429, 503) },
      },
    },
    async ({ query: { to = new Date(), from = new Date(to.getTime() - 30 * DAY_MS) } }) => {
      if (from >= to) throw apiError('invalid_value', '`from` must be before `to`', 'from');
      return { from: from.toISOString(), to: to.toISOString(), ...(await caseFigures(database, from, to)) };
    },
  );

  app.get(
    '/api/detections/:id/markdown',
    {
      config: { access: { by: 'key-or-session', scope: 'detections:read' } },
      schema: {
        operationId: 'getDetectionMarkdown',
        summary: 'Read a detection as Markdown',
        description: 'Facts, the newest evidence and the link of a detection, for a ticket or a chat.',
        tags: ['detection service'],
        params: z.strictObject({ id: detectionIdSchema }),
        response: { 200: { description: 'The detection.', content: MARKDOWN }, ...READ_ERRORS },
      },
    },
    async ({ params: { id } }, reply) => {
      const detection = await getDetection(clickhouse, id);
      if (detection === undefined) throw apiError('not_found', 'there is no detection with this id');
      const { items } = await listEvents(clickhouse, { detection: id }, { limit: MAX_EVIDENCE });
      const text = detectionMarkdown(withDecision(detection, await findTriage(database, id)), {
        link: `${publicUrl()}/detections/${id}`,
        evidence: items.map((item): EvidenceLine => {
          const { event } = eventRecord(item);
          return { at: event.timestamp, message: eventMessage(event.event, eventColumns(event.event)) };
        }),
      });
      return reply.type('text/markdown; charset=utf-8').send(text);
    },
  );
}

async function readTimeline(database: Database, id: string) {
  const [events, comments] = await Promise.all([
    newestCaseEvents(database, id, MAX_HAPPENINGS + 1),
    newestComments(database, id, MAX_HAPPENINGS + 1),
  ]);
  return timelineOf(events, comments.toReversed());
}
