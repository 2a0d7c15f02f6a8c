import { Readable } from 'node:stream';
import { createInFlightLimit } from '../limits/in-flight-limit.ts';

/** Default limit of concurrent long polls. */
export const MAX_LONG_POLLS = 5_000;
/** Default limit of concurrent long polls per caller. */
const MAX_LONG_POLLS_OF_CALLER = 500;

export interface LongPollOptions {
  /** Maximum number of concurrent long polls. Default `MAX_LONG_POLLS`. */
  readonly max?: number;
  /**
   * Maximum number of concurrent long polls per caller. Default 500, so that a caller that waits for thousands of runs
   * does not block other callers.
   */
  readonly maxOfCaller?: number;
  /** Interval of keep-alive spaces. Default 15 s, below the read time-outs of clients and proxies. */
  readonly everyMs?: number;
}

/** Returns a JSON body that is sent when it resolves, or `undefined` at the limit. The caller then responds immediately. */
export type LongPoll = (caller: string, body: (signal: AbortSignal) => Promise<unknown>) => Readable | undefined;

/**
 * Creates a long-poll function, which keeps a response open until its body is ready. The response starts with a space,
 * which sends status and headers. Another space follows every 15 seconds until `body` resolves; JSON allows leading
 * spaces.
 *
 * `body` resolves to a value, or to a JSON text in parts. It must not reject, because the status has been sent. When
 * the client disconnects, `signal` aborts and `body` should resolve.
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
