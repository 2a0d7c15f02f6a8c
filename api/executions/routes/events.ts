import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { mayUse, principalOf } from '#api/http/access/caller.ts';
import { requireScope } from '#api/http/access/missing-scope.ts';
import { apiError } from '#api/http/api-error.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { createInFlightLimit } from '#api/http/limits/in-flight-limit.ts';
import { createRightCheck, PATIENCE_MS, RECHECK_MS } from '#api/http/right-check.ts';
import type { Database } from '#api/postgres/database.ts';
import { viewerOf } from '#api/sharing/viewer.ts';
import { isTerminal } from '../engine/transitions.ts';
import { traceAfter } from '../store/trace.ts';
import { findVisibleExecution } from '../store/visible.ts';
import type { ExecutionWatch, TraceEntry } from '../watch/port.ts';
import { executionParams, noSuchExecution } from './access.ts';

/** The kind of the execution decides which of the two scopes is required. */
const READ_EITHER = {
  access: { by: 'key-or-session', scope: 'workflows:read', or: 'agents:read' },
  limiting: 'poll',
} as const;
const BEAT_MS = 15_000;
/** Maximum number of concurrent streams per process. */
const MAX_STREAMS = 5_000;
/** Maximum number of concurrent streams per caller. */
const MAX_STREAMS_OF_CALLER = 500;

const query = z.strictObject({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of an event')
    .optional()
    .describe('Id of the last received event, for clients that cannot send Last-Event-ID')
    .meta({ example: '0' }),
});

export interface ExecutionEventsDeps {
  readonly database: Database;
  readonly watch: ExecutionWatch;
  /** Interval in ms at which the server rechecks that a subscriber may still read the execution. Default 5,000. */
  readonly recheckMs?: number;
}

/**
 * GET /api/v1/executions/{executionId}/events: past and live events of an execution as server-sent events. `status`,
 * `step` and `line` have ids, so clients can resume. The last event is `end`.
 */
export function executionEventsRoute(
  app: ApiServer,
  { database, watch, recheckMs = RECHECK_MS }: ExecutionEventsDeps,
): void {
  const ofCallers = createInFlightLimit({ max: MAX_STREAMS_OF_CALLER });
  let streams = 0;

  app.get(
    '/api/v1/executions/:executionId/events',
    {
      config: READ_EITHER,
      schema: {
        operationId: 'streamExecutionEvents',
        summary: 'Follow an execution',
        description:
          'Server-sent events: `status`, `step` and `line` (`console` output of a script), from the beginning or after `Last-Event-ID`, then live. `end` follows when the execution has ended, and the response ends. A step that changed several times since is sent once, in its latest state. `sequence` of a step increases in the order in which steps began, and `parent` (`step` and `attempt`, or null) is the step that contains it. Executions of agents need the scope agents:read, those of workflows workflows:read.',
        tags: ['workflows'],
        params: executionParams,
        querystring: query,
        response: {
          200: {
            description: 'The events.',
            content: { 'text/event-stream': { schema: z.string() } },
          },
          ...errorResponses(400, 401, 403, 404, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { executionId } = request.params;
      const viewer = viewerOf(request);
      const found = await findVisibleExecution(database, viewer, executionId);
      if (found === undefined) throw noSuchExecution();
      const scope = found.kind === 'agent' ? 'agents:read' : 'workflows:read';
      requireScope(request.caller, scope);
      const principal = principalOf(request.caller);
      if (streams >= MAX_STREAMS || !ofCallers.enter(principal))
        throw apiError('rate_limited', 'too many executions are followed right now', undefined, {
          'retry-after': '15',
        });
      streams += 1;
      const after = Number(lastEventIdOf(request) ?? request.query.after ?? 0);
      const { role } = request.caller;
      const mayRead = async () => {
        const caller = await app.callerNow(request);
        // A different role may see other executions: the connection closes, and the client reconnects.
        if (caller?.role !== role || !mayUse(caller, scope)) return false;
        return !found.byGrant || (await findVisibleExecution(database, viewer, executionId)) !== undefined;
      };
      const stream = openStream(
        { database, watch, recheckMs },
        { executionId, after, ended: isTerminal(found.status), mayRead },
      );
      stream.once('close', () => {
        streams -= 1;
        ofCallers.leave(principal);
      });
      const untyped: FastifyReply = reply;
      return untyped
        .headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store',
          'x-accel-buffering': 'no',
        })
        .send(stream);
    },
  );
}

/**
 * Opens a stream of past and live events of an execution. It ends with the execution, or when the subscriber may no
 * longer read it.
 */
function openStream(
  { database, watch, recheckMs }: Required<ExecutionEventsDeps>,
  of: {
    readonly executionId: string;
    readonly after: number;
    readonly ended: boolean;
    readonly mayRead: () => Promise<boolean>;
  },
): Readable {
  const { executionId } = of;
  const right = createRightCheck(of.mayRead, { patienceMs: PATIENCE_MS });
  let taken: PromiseWithResolvers<void> | undefined;
  let ending = false;
  let over = false;
  const stream = new Readable({
    read() {
      taken?.resolve();
      taken = undefined;
    },
  });
  const beat = setInterval(() => stream.push(': here\n\n'), BEAT_MS);
  const checking = setInterval(async () => {
    if ((await right()) === 'held') return;
    if (ending) stream.destroy();
    else close();
  }, recheckMs);
  stream.once('close', () => {
    clearInterval(beat);
    clearInterval(checking);
    end();
    taken?.resolve();
  });
  stream.push('retry: 2000\n\n');
  // An ended execution has no further events and needs no watch.
  let end: () => void = () => {};
  if (of.ended) void finish(of.after);
  else end = watch.follow(executionId, { after: of.after, listener: send, onClose: close });
  return stream;

  /** Writes events. Resolves when the client can accept more: back-pressure for slow clients. */
  async function send(entries: readonly TraceEntry[]): Promise<void> {
    await write(entries);
    const last = entries.at(-1);
    if (!ending && last !== undefined && entries.some((entry) => entry.kind === 'status' && isTerminal(entry.status)))
      await finish(last.seq);
  }

  async function write(entries: readonly TraceEntry[]): Promise<void> {
    if (over || stream.destroyed || entries.length === 0) return;
    if (stream.push(entries.map(textOf).join(''))) return;
    taken ??= Promise.withResolvers();
    await taken.promise;
  }

  /** Sends the remaining events and `end`. */
  async function finish(from: number): Promise<void> {
    ending = true;
    end();
    try {
      for (let at = from; !stream.destroyed; ) {
        const entries = await traceAfter(database, [{ id: executionId, after: at }]);
        const last = entries.at(-1);
        if (last === undefined) break;
        await write(entries);
        at = last.seq;
      }
      if (stream.destroyed) return;
      stream.push('event: end\ndata: {}\n\n');
      endAnswer();
    } catch {
      // The client reconnects and resumes.
      stream.destroy();
    }
  }

  /** Closes the stream. The client reconnects and resumes, if it still has access. */
  function close(): void {
    if (stream.destroyed || ending) return;
    ending = true;
    end();
    endAnswer();
  }

  /** Ends the response. Nothing may follow, even if the client reads the end much later. */
  function endAnswer(): void {
    clearInterval(beat);
    clearInterval(checking);
    over = true;
    stream.push(null);
  }
}

function lastEventIdOf({ headers }: FastifyRequest): string | undefined {
  const id = headers['last-event-id'];
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? id : undefined;
}

/** Formats an event. JSON contains no line breaks, so one `data` line suffices. */
function textOf(entry: TraceEntry): string {
  const { seq, kind } = entry;
  return `id: ${seq}\nevent: ${kind}\ndata: ${JSON.stringify(dataOf(entry))}\n\n`;
}

function dataOf(entry: TraceEntry): object {
  if (entry.kind === 'status') {
    const { executionId, from, status, at } = entry;
    return { executionId, ...(from === null ? {} : { from }), status, at: at.toISOString() };
  }
  if (entry.kind === 'line') {
    const { executionId, step, level, text, at } = entry;
    return { executionId, step, level, text, at: at.toISOString() };
  }
  const { executionId, step, name, taskKind, status, attempt, sequence, parent, output, error, startedAt, endedAt } =
    entry;
  return {
    executionId,
    step,
    name,
    kind: taskKind,
    status,
    attempt,
    sequence,
    parent,
    ...(output === undefined ? {} : { output }),
    ...(error === undefined ? {} : { error }),
    startedAt: startedAt.toISOString(),
    ...(endedAt === null ? {} : { completedAt: endedAt.toISOString() }),
  };
}
