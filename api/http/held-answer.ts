import { Readable } from 'node:stream';
import { createUnderWay } from './limits/under-way.ts';

/** Connections that are held at the same time unless something else is said. */
export const MAX_HELD = 5_000;
/** Of one caller. */
const MAX_HELD_OF_CALLER = 500;

export interface HeldAnswersOptions {
  /** How many are held at the same time. Default `MAX_HELD`. */
  readonly most?: number;
  /** How many of them are of one caller. Default 500: one that waits for thousands of runs must leave room for others. */
  readonly mostOfCaller?: number;
  /** How often to say that we are still here. Default 15 s: read time-outs of clients and proxies are longer. */
  readonly everyMs?: number;
}

/** A JSON body that comes late, or `undefined` when as many are held as may be: then the answer is to be given at once. */
export type HoldAnswer = (caller: string, body: (signal: AbortSignal) => Promise<unknown>) => Readable | undefined;

/**
 * Holds connections until their answer is there. An answer begins at once with a space, so that status and headers go out, and goes on with one every 15
 * seconds until `body` resolves; JSON allows them. It resolves to a value, or to a JSON text in parts. `body` must not reject: the status is out already. When the client goes, `signal` aborts; `body` should
 * resolve then.
 */
export function heldAnswers(options: HeldAnswersOptions = {}): HoldAnswer {
  const { most = MAX_HELD, mostOfCaller = MAX_HELD_OF_CALLER, everyMs = 15_000 } = options;
  const ofCallers = createUnderWay({ most: mostOfCaller });
  let held = 0;
  return (caller, body) => {
    if (held >= most || !ofCallers.enter(caller)) return undefined;
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
