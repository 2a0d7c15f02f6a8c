import fc from 'fast-check';
import { expect, test } from 'vitest';
import { retry } from '#api/scrapers/steps/retry.ts';
import { UpstreamFailure } from '#api/scrapers/upstream-failure.ts';

const config = { signal: new AbortController().signal, firstPauseMs: 1, random: () => 0.5 };
const failing = (failures: readonly UpstreamFailure[]) => {
  const times: number[] = [];
  return {
    times,
    attempt: async () => {
      times.push(performance.now());
      const failure = failures[times.length - 1];
      if (failure !== undefined) throw failure;
      return 'done';
    },
  };
};
const passing = (retryAfterMs?: number) => new UpstreamFailure('failed', 'no', { retriable: true, retryAfterMs });
const lasting = new UpstreamFailure('failed', 'never', { retriable: false });

test('Retries: up to 3 attempts, and none after a permanent failure', async () => {
  const kinds = fc.array(fc.constantFrom('passing', 'lasting'), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(kinds, async (sequence) => {
      const failures = sequence.map((kind) => (kind === 'passing' ? passing() : lasting));
      const { attempt, times } = failing(failures);
      const outcome = await retry(attempt, config).catch((error: unknown) => error);
      const end = sequence.slice(0, 3).indexOf('lasting');
      const tries = end >= 0 ? end + 1 : Math.min(3, sequence.length + 1);
      expect(times).toHaveLength(tries);
      expect(outcome).toBe(failures[tries - 1] ?? 'done');
    }),
    { numRuns: 60 },
  );
});

test('respects Retry-After of upstream', async () => {
  const { attempt, times } = failing([passing(120)]);
  expect(await retry(attempt, config)).toBe('done');
  expect((times[1] as number) - (times[0] as number)).toBeGreaterThanOrEqual(115);
});

test('does not wait for a Retry-After of more than a few seconds', async () => {
  const { attempt, times } = failing([passing(30_000)]);
  await expect(retry(attempt, config)).rejects.toMatchObject({ retryAfterMs: 30_000 });
  expect(times).toHaveLength(1);
});

test('pauses double', async () => {
  const { attempt, times } = failing([passing(), passing()]);
  await retry(attempt, { ...config, firstPauseMs: 40 });
  const [first = 0, second = 0, third = 0] = times;
  expect(second - first).toBeGreaterThanOrEqual(35);
  expect(third - second).toBeGreaterThanOrEqual(75);
});

test('a stopping process does not wait', async () => {
  const stop = new AbortController();
  const { attempt } = failing([passing(4_000)]);
  const waiting = retry(attempt, { ...config, signal: stop.signal });
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: 'UpstreamFailure', kind: 'failed' });
});
