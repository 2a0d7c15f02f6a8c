import { describe, expect, it } from 'vitest';
import { retrying } from '#ingest/pipeline/retry.ts';

const temporary = new Error('away');
const permanent = new Error('broken');

function policy(over: Partial<Parameters<typeof retrying>[2]> = {}) {
  return {
    isTemporary: (error: unknown) => error === temporary,
    signal: new AbortController().signal,
    firstDelayMs: 1,
    maxDelayMs: 2,
    random: () => 0,
    ...over,
  };
}

describe('retrying', () => {
  it('continues until the operation succeeds, and reports each retry', async () => {
    const reported: number[] = [];
    let calls = 0;
    const run = async () => {
      if (++calls < 4) throw temporary;
      return 'done';
    };
    const onRetry = (_operation: string, attempt: number) => reported.push(attempt);
    expect(await retrying('x', run, policy({ onRetry }))).toBe('done');
    expect(reported).toEqual([1, 2, 3]);
  });

  it('throws a permanent error immediately', async () => {
    let calls = 0;
    const run = async () => {
      calls++;
      throw permanent;
    };
    await expect(retrying('x', run, policy())).rejects.toBe(permanent);
    expect(calls).toBe(1);
  });

  it('stops waiting when aborted', async () => {
    const stopping = new AbortController();
    const waiting = retrying('x', () => Promise.reject(temporary), {
      ...policy(),
      firstDelayMs: 1e6,
      maxDelayMs: 1e6,
      random: () => 1,
      signal: stopping.signal,
      onRetry: () => queueMicrotask(() => stopping.abort(new Error('stop'))),
    });
    await expect(waiting).rejects.toThrow();
  });
});
