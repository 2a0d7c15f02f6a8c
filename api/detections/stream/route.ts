import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { mayUse, userOf } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import type {} from '#api/http/plugins/guard.ts';
import { FILTER_SHAPES } from '#api/http/queries/list-query.ts';
import type { Detection } from '#schemas/detection.ts';
import type { DetectionStreams } from './detection-stream.ts';
import { createStreamReader } from './stream-reader.ts';

const SCOPE = 'detections:read';
const MAX_WAITING_BYTES = 4 * 2 ** 20;
const RETRY_AFTER_SECONDS = '10';
const FIELD_NAMES = [
  'rule',
  'severity',
  'hostname',
  'procname',
  'executable',
  'parent',
  'unit',
  'container',
  'pod',
] as const;
type Field = (typeof FIELD_NAMES)[number];
type FilterName = Field | `exclude.${Field}`;
const FILTERS = Object.fromEntries(
  FIELD_NAMES.flatMap((name) => [
    [name, FILTER_SHAPES.detections[name]],
    [`exclude.${name}`, FILTER_SHAPES.detections[`exclude.${name}`]],
  ]),
) as Pick<typeof FILTER_SHAPES.detections, FilterName>;
const PLACE_EXPECTED = 'must be an id that the stream sent';
const place = z.string().regex(/^\d{1,15}$/, PLACE_EXPECTED);

/** GET /api/detections/stream: new and growing detections as server-sent events. */
export function detectionStreamRoute(app: ApiServer, { streams }: { readonly streams: DetectionStreams }): void {
  app.addHook('preClose', () => streams.close());
  app.get(
    '/api/detections/stream',
    {
      config: { access: { by: 'key-or-session', scope: SCOPE } },
      exposeHeadRoute: false,
      schema: {
        operationId: 'streamDetections',
        summary: 'Follow detections',
        description:
          'Server-sent events: `detection` for each new or growing detection (at most once a second per detection), `decision` for each change of status, verdict, assignee or note by an analyst, with the detection as data. Silenced detections are omitted. With `Last-Event-ID` the stream resumes on any process, for up to 24 hours. Delivery is at least once; id and revision identify duplicates. `missed`: the disconnection was longer, read the list. `end`: the stream ends, with the reason. Comments keep the connection alive.',
        tags: ['detection service'],
        produces: ['text/event-stream'],
        headers: z.looseObject({
          // Empty as in a browser that has received no id: from now on.
          'last-event-id': z
            .string()
            .regex(/^\d{0,15}$/, PLACE_EXPECTED)
            .optional()
            .describe('Id of the last received event; browsers send it automatically'),
        }),
        querystring: z.strictObject({
          ...FILTERS,
          lastEventId: place.optional().describe('Alternative to the header, for clients that cannot set it'),
        }),
        response: {
          200: z.string().describe('Events, until client or server closes the connection.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { lastEventId, ...wanted } = request.query;
      const owner = ownerOf(request);
      if (!streams.hasRoom(owner))
        throw apiError('rate_limited', 'too many streams are open', undefined, { 'retry-after': RETRY_AFTER_SECONDS });
      const since = request.headers['last-event-id'] || lastEventId;
      const reader = createStreamReader((detection) => matches(detection, wanted), {
        maxWaitingBytes: MAX_WAITING_BYTES,
      });
      streams.add({
        reader,
        owner,
        since: since === undefined ? undefined : Number(since),
        async mayRead() {
          const caller = await app.callerNow(request);
          return caller !== undefined && mayUse(caller, SCOPE);
        },
      });
      return reply
        .type('text/event-stream; charset=utf-8')
        .headers({ 'cache-control': 'no-store', 'x-accel-buffering': 'no' })
        .send(reader.body as never);
    },
  );
}

type Wanted = { readonly [Name in FilterName]?: readonly string[] | undefined };

/** True if the detection matches the filters. Same conditions as the list; see `read-models/detections.ts`. */
function matches(detection: Detection, wanted: Wanted): boolean {
  return FIELD_NAMES.every((name) => {
    const value = name === 'rule' ? detection.rule.id : detection[name];
    const included = wanted[name];
    if (value !== null && wanted[`exclude.${name}`]?.includes(value)) return false;
    if (included === undefined || (value !== null && included.includes(value))) return true;
    return name === 'hostname' && detection.hosts.some((host) => included.includes(host));
  });
}

function ownerOf({ caller }: FastifyRequest): string {
  return (caller && userOf(caller)) ?? 'operator';
}
