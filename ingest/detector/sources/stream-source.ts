import type { Readable } from 'node:stream';
import { createLineSplitter } from './line-splitter.ts';
import type { KernelLogSource, SourceItem } from './source.ts';

/** Reads a stream of bytes, e.g. standard input from `dmesg --follow`. Reports `idle` after `idleMs` without data. */
export function createStreamSource(stream: Readable, idleMs = 500): KernelLogSource {
  return async function* read(signal: AbortSignal): AsyncGenerator<SourceItem> {
    const splitter = createLineSplitter();
    const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
    const stopped = new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped');
      else signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    let next = chunks.next();
    let quiet = false;
    try {
      for (;;) {
        const timer = timeout(quiet ? null : idleMs);
        const result = await Promise.race([next, stopped, timer.promise]);
        timer.cancel();
        if (result === 'stopped') break;
        if (result === 'idle') {
          quiet = true;
          yield { kind: 'idle' };
          continue;
        }
        if (result.done) break;
        quiet = false;
        const lines = splitter.push(Buffer.from(result.value));
        if (lines.length > 0) yield { kind: 'lines', lines };
        next = chunks.next();
      }
      const last = splitter.end();
      if (last.length > 0) yield { kind: 'lines', lines: last };
    } finally {
      // A pending read would keep the process alive.
      next.catch(() => {});
      stream.destroy();
    }
  };
}

function timeout(ms: number | null): { promise: Promise<'idle'>; cancel(): void } {
  if (ms === null) return { promise: new Promise(() => {}), cancel: () => {} };
  let timer: NodeJS.Timeout;
  const promise = new Promise<'idle'>((resolve) => {
    timer = setTimeout(() => resolve('idle'), ms);
  });
  return { promise, cancel: () => clearTimeout(timer) };
}
