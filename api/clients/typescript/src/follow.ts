import { pathOf, type RequestOptions } from './call.ts';
import { ServiceConnectionError, ServiceServerError, ServiceTimeoutError } from './errors.ts';
import { pause } from './silence.ts';
import type { Transport } from './transport.ts';
import type { ExecutionEvent } from './types/follow.ts';

/** What happens to executions of workflows and agents alike. */
export interface Executions {
  /**
   * Everything that has happened to an execution, and what happens to it, until it has ended. A connection that breaks is made again, and goes on behind the last
   * event that came. `after`: the id of the last event that is known.
   */
  follow(
    executionId: string,
    params?: { readonly after?: string | undefined },
    options?: RequestOptions,
  ): AsyncGenerator<ExecutionEvent, void, undefined>;
}

const AGAIN_MS = 1000;

export function createExecutions(transport: Transport): Executions {
  return {
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
}

function isPassing(error: unknown): boolean {
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

/** Server-sent events, of which the service uses `id`, `event` and one line of `data`. Leaving the loop ends the connection. */
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
    // A stream that has failed can't be cancelled, and need not be.
    await reader.cancel().catch(() => {});
  }
}
