import { setTimeout as pause } from 'node:timers/promises';
import type { ServerConnection } from '../server-connection.ts';

export interface FollowedEvent {
  readonly id: string;
  /** `status`, `step`, `line`. */
  readonly event: string;
  /** JSON. */
  readonly data: string;
}

const AGAIN_MS = 1_000;

/**
 * Yields all past and new events of an execution until it ends. After a lost connection, reconnects and continues after
 * the last event.
 */
export async function* followExecution(server: ServerConnection, id: string): AsyncGenerator<FollowedEvent> {
  let last: string | undefined;
  let reached = false;
  const path = `/api/v1/executions/${encodeURIComponent(id)}/events`;
  for (;;) {
    const headers = { accept: 'text/event-stream', ...(last === undefined ? {} : { 'last-event-id': last }) };
    try {
      const { body } = await server.request(path, { headers });
      reached = true;
      for await (const event of readEvents(body)) {
        if (event.event === 'end') return;
        last = event.id === '' ? last : event.id;
        yield event;
      }
    } catch (error) {
      // A failure of the first request is final. A later one may be temporary.
      if (!reached) throw error;
    }
    await pause(AGAIN_MS);
  }
}

/** Parses server-sent events. Reads only `id`, `event` and one line of `data`. */
export async function* readEvents(body: AsyncIterable<Uint8Array> | null): AsyncGenerator<FollowedEvent> {
  if (body === null) return;
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parseEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== undefined) yield event;
    }
  }
}

function parseEvent(block: string): FollowedEvent | undefined {
  const fields: Record<string, string> = {};
  for (const line of block.split('\n')) {
    const at = line.indexOf(':');
    if (at > 0) fields[line.slice(0, at)] = line.slice(at + 1).replace(/^ /, '');
  }
  const { id = '', event, data } = fields;
  return event === undefined || data === undefined ? undefined : { id, event, data };
}
