import { pathOf, type RequestOptions } from './call.ts';
import { ServiceConnectionError, ServiceServerError, ServiceTimeoutError } from './errors.ts';
import { pause } from './idle-timeout.ts';
import { iterateOffsets } from './pages.ts';
import { type AnswerOf, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import { createRun, type Execution, type Run } from './runs.ts';
import type { Transport } from './transport.ts';
import type { ExecutionEvent } from './types/follow.ts';
import type { CancelWorkflowExecutionResponse } from './types/workflows.ts';

/** Operations on executions of both workflows and agents. */
export interface Executions {
  /** Lists the newest executions of all workflows and agents that the key may read. */
  list(
    params?: QueryOf<'/api/v1/executions'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/executions', 'get'>>;
  /** Iterates over all executions of `list`, page by page. */
  iterate(
    params?: QueryOf<'/api/v1/executions'>,
    options?: RequestOptions,
  ): AsyncGenerator<Schemas['RecentExecution'], void, undefined>;
  /**
   * Returns one execution, with the same fields for workflows and agents. `waitForCompletion`: seconds to wait for its
   * end, at most 60.
   */
  get(
    executionId: string,
    params?: { readonly waitForCompletion?: number | undefined },
    options?: RequestOptions,
  ): Promise<Execution>;
  /** Cancels an execution, or requests its worker to do so. Idempotent. */
  cancel(executionId: string, options?: RequestOptions): Promise<CancelWorkflowExecutionResponse>;
  /** Suspends an execution of a workflow: tasks in progress are completed, and no other step begins. Idempotent. */
  suspend(executionId: string, options?: RequestOptions): Promise<Schemas['SuspendExecutionResponse']>;
  /** Resumes a suspended execution. Idempotent. */
  resume(executionId: string, options?: RequestOptions): Promise<Schemas['ResumeExecutionResponse']>;
  /** Returns the suspension of an execution. Null if it is not suspended. */
  suspension(
    executionId: string,
    options?: RequestOptions,
  ): Promise<Schemas['GetExecutionSuspensionResponse']['suspension']>;
  /** Returns a handle for an execution id. */
  run<Result = unknown>(executionId: string): Run<Result>;
  /** Delivers CloudEvents to executions that wait for them. */
  sendEvents(
    events: readonly Schemas['CloudEvent'][],
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/v1/events', 'post'>>;
  /**
   * Delivers one CloudEvent to one execution. `waitForReply`: seconds to wait for the reply of the execution, at most
   * 60. An event with the same source and id is delivered once, so a repeated call continues to wait.
   */
  signal(
    executionId: string,
    event: Schemas['CloudEvent'],
    params?: { readonly waitForReply?: number | undefined },
    options?: RequestOptions,
  ): Promise<Schemas['SignalExecutionResponse']>;
  /** Returns the reply to an event that `signal` delivered. */
  signalReply(
    executionId: string,
    eventId: string,
    params?: { readonly waitForReply?: number | undefined },
    options?: RequestOptions,
  ): Promise<Schemas['SignalExecutionResponse']>;
  /**
   * Streams all past and future events of an execution until it has ended. A broken connection is restored after the
   * last received event. `after`: the id of the last known event.
   */
  follow(
    executionId: string,
    params?: { readonly after?: string | undefined },
    options?: RequestOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>;
}

const AGAIN_MS = 1000;

export function createExecutions(transport: Transport): Executions {
  const routes = createRoutes(transport);
  const executions: Executions = {
    list: (query, options) => routes.json('get', '/api/v1/executions', { query, ...options }),
    iterate: (params = {}, options) =>
      iterateOffsets(async (offset) => {
        const { data, total } = await executions.list({ ...params, offset }, options);
        return { items: data, total };
      }),
    get: (executionId, query, options) =>
      routes.json('get', '/api/v1/executions/{executionId}', { path: [executionId], query, ...options }),
    cancel: (executionId, options) =>
      routes.json('post', '/api/v1/executions/{executionId}/cancel', {
        path: [executionId],
        repeatable: 'always',
        ...options,
      }),
    suspend: (executionId, options) =>
      routes.json('post', '/api/v1/executions/{executionId}/suspend', {
        path: [executionId],
        repeatable: 'always',
        ...options,
      }),
    resume: (executionId, options) =>
      routes.json('post', '/api/v1/executions/{executionId}/resume', {
        path: [executionId],
        repeatable: 'always',
        ...options,
      }),
    suspension: async (executionId, options) =>
      (
        await routes.json('get', '/api/v1/executions/{executionId}/suspension', {
          path: [executionId],
          ...options,
        })
      ).suspension,
    run: (executionId) => createRun({ transport, executions }, executionId),
    sendEvents: (events, options) =>
      // The service deduplicates events by source and id.
      routes.json('post', '/api/v1/events', { json: events, repeatable: 'always', ...options }),
    signal: (executionId, json, query, options) =>
      routes.json('post', '/api/v1/executions/{executionId}/signals', {
        path: [executionId],
        query,
        json,
        repeatable: 'always',
        ...options,
      }),
    signalReply: (executionId, eventId, query, options) =>
      routes.json('get', '/api/v1/executions/{executionId}/signals/{eventId}', {
        path: [executionId, eventId],
        query,
        ...options,
      }),
    async *follow(executionId, { after } = {}, { signal } = {}) {
      const path = `/api/v1/executions${pathOf(executionId, 'events')}`;
      for (let last = after, reached = false; ; await pause(AGAIN_MS, signal)) {
        try {
          const { stream } = await transport.download({ method: 'GET', path, query: { after: last }, signal });
          reached = true;
          for await (const { id, event, data } of readEvents(stream)) {
            if (event === 'end') return;
            last = id || last;
            yield { ...JSON.parse(data), id, event } as ExecutionEvent;
          }
        } catch (error) {
          if (!reached || !isPassing(error)) throw error;
        }
      }
    },
  };
  return executions;
}

/** True for an error after which the stream is opened again. */
export function isPassing(error: unknown): boolean {
  return (
    error instanceof ServiceConnectionError ||
    error instanceof ServiceTimeoutError ||
    error instanceof ServiceServerError
  );
}

interface SentEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Parses server-sent events. The service uses `id`, `event` and one line of `data`. Leaving the loop closes the connection. */
export async function* readEvents(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<SentEvent> {
  const decoder = new TextDecoder();
  const reader = stream.getReader();
  let text = '';
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      const blocks = (text + decoder.decode(piece.value, { stream: true })).split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = Object.fromEntries(
          block
            .split('\n')
            .map((line) => [
              line.slice(0, Math.max(0, line.indexOf(':'))),
              line.slice(line.indexOf(':') + 1).replace(/^ /, ''),
            ]),
        );
        const { id = '', event, data } = fields;
        if (event !== undefined && data !== undefined) yield { id, event, data };
      }
    }
  } finally {
    // Cancelling a failed stream rejects, which can be ignored.
    await reader.cancel().catch(() => {});
  }
}
