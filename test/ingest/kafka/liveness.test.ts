import { expect, onTestFinished, test, vi } from 'vitest';
import { watchLiveness } from '#ingest/kafka/liveness.ts';

test('a stalled consumer is detected, regardless of changes of the clock', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const onStuck = vi.fn();
  const watch = watchLiveness(10_000, onStuck);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(5_000);
  expect(onStuck).not.toHaveBeenCalled();
  watch.alive();
  vi.setSystemTime(Date.now() - 7_200_000);
  vi.advanceTimersByTime(15_000);
  expect(onStuck).toHaveBeenCalledTimes(1);
  watch.stop();
});
