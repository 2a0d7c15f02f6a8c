import { Readable } from 'node:stream';

export interface HeldAnswerOptions {
  /** How often to say that we are still here. Default 15 s: read time-outs of clients and proxies are longer. */
  readonly everyMs?: number;
}

/**
 * A JSON body that comes late. It begins at once with a space, so that status and headers go out, and goes on with one every 15 seconds until `body`
 * resolves; JSON allows them. `body` must not reject: the status is out already. When the client goes, `signal` aborts; `body` should resolve then.
 */
export function heldAnswer(
  body: (signal: AbortSignal) => Promise<unknown>,
  { everyMs = 15_000 }: HeldAnswerOptions = {},
): Readable {
  const gone = new AbortController();
  const stream = new Readable({ read() {} });
  const beat = setInterval(() => stream.push(' '), everyMs);
  stream.once('close', () => {
    clearInterval(beat);
    gone.abort();
  });
  stream.push(' ');
  body(gone.signal).then(
    (value) => {
      clearInterval(beat);
      if (stream.destroyed) return;
      stream.push(JSON.stringify(value));
      stream.push(null);
    },
    (error: unknown) => stream.destroy(error instanceof Error ? error : new Error('the answer failed')),
  );
  return stream;
}
