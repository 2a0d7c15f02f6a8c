import type { Writable } from 'node:stream';
import { type EventSink, SinkClosedError } from './event-sink.ts';

/**
 * Writes one JSON object per line to a stream. Waits while the reader is slow; ends without an error when the reader is
 * gone (EPIPE).
 */
export function createStdoutSink(stream: Writable): EventSink {
  let closed: Error | null = null;
  // Without a listener, a reader that closes the pipe would crash the process.
  const onError = (error: Error): void => {
    closed = error;
  };
  stream.on('error', onError);

  return {
    write(events) {
      if (closed) return Promise.reject(asSinkError(closed));
      if (events.length === 0) return Promise.resolve();
      return new Promise((resolve, reject) => {
        stream.write(`${events.map(({ json }) => json).join('\n')}\n`, (error) => {
          if (error) reject(asSinkError(error));
          else resolve();
        });
      });
    },
    async close() {
      stream.off('error', onError);
      stream.on('error', () => {});
    },
  };
}

function asSinkError(error: Error): Error {
  const { code } = error as NodeJS.ErrnoException;
  const gone = code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ECONNRESET';
  return gone ? new SinkClosedError('the reader closed the output', { cause: error }) : error;
}
