import { Readable } from 'node:stream';
import { createInFlightLimit } from './limits/in-flight-limit.ts';

/** Default limit of concurrent long polls. */
export const MAX_LONG_POLLS = 5_000;
/** Default limit for one caller. */
const MAX_LONG_POLLS_OF_CALLER = 500;

export interface LongPollOptions {
  /** Concurrent long polls. Default `MAX_LONG_POLLS`. */
  readonly max?: number;
  /** Concurrent long polls of one caller. Default 500: a caller that waits for thousands of runs must leave room for others. */
  readonly maxOfCaller?: number;
  /** Interval of keep-alive spaces. Default 15 s: read time-outs of clients and proxies are longer. */
  readonly everyMs?: number;
}

/** Returns a JSON body that is sent when it resolves, or `undefined` at the limit: the caller then responds at once. */
export type LongPoll = (caller: string, body: (signal: AbortSignal) => Promise<unknown>) => Readable | undefined;

/**
 * Keeps responses open until their body is ready. A response starts at once with a space, so that status and headers are sent, and continues with one every 15
 * seconds until `body` resolves; JSON allows leading spaces. It resolves to a value, or to a JSON text in parts. `body` must not reject: the status has been sent. When the client disconnects, `signal` aborts; `body` should
 * resolve then.
 */
export function createLongPoll(options: LongPollOptions = {}): LongPoll {
  const { max = MAX_LONG_POLLS, maxOfCaller = MAX_LONG_POLLS_OF_CALLER, everyMs = 15_000 } = options;
  const ofCallers = createInFlightLimit({ max: maxOfCaller });
  let held = 0;
  return (caller, body) => {
    if (held >= max || !ofCallers.enter(caller)) return undefined;
    held += 1;
    const gone = new AbortController();
    let wanted = () => {};
    const stream = new Readable({ read: () => wanted() });
    const beat = setInterval(() => stream.push(' '), everyMs);
    stream.once('close', () => {
      held -= 1;
      ofCallers.leave(caller);
      clearInterval(beat);
      gone.abort();
    });
    stream.push(' ');
    async function answer(): Promise<void> {
      const value = await body(gone.signal);
      clearInterval(beat);
      for await (const part of textOf(value)) {
        if (stream.destroyed) return;
        if (stream.push(part)) continue;
        await new Promise<void>((resolve) => {
          wanted = resolve;
          stream.once('close', resolve);
        });
      }
      if (!stream.destroyed) stream.push(null);
    }
    answer().catch((error: unknown) => stream.destroy(error instanceof Error ? error : new Error('the answer failed')));
    return stream;
  };
}

async function* textOf(value: unknown): AsyncGenerator<Uint8Array | string> {
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value)
    yield* value as AsyncIterable<Uint8Array>;
  else yield JSON.stringify(value);
}
