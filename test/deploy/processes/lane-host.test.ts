import { expect, it } from 'vitest';
import { resolveConfig } from '#deploy/config/resolve.ts';
import { laneThreadsOf } from '#deploy/processes/lane-host.ts';

function threads(environment: Record<string, string>, cores: number): number {
  const resolved = resolveConfig({ environment });
  if (!resolved.ok) throw new Error(resolved.errors.join('\n'));
  return laneThreadsOf(resolved.config, cores);
}

const SERVER = { CLICKHOUSE_URL: 'http://127.0.0.1:8123' };

it('has no lane thread on one core, one on two, and never more than the reading thread can feed', () => {
  expect([1, 2, 3, 4, 64].map((cores) => threads(SERVER, cores))).toEqual([0, 1, 2, 2, 2]);
});

it('has the configured number', () => {
  expect(threads({ ...SERVER, TRAPLINE_LANE_THREADS: '0' }, 8)).toBe(0);
  expect(threads({ ...SERVER, TRAPLINE_LANE_THREADS: '5' }, 1)).toBe(5);
});

it('has none with the embedded engine', () => {
  expect(threads({ TRAPLINE_LANE_THREADS: '2' }, 8)).toBe(0);
});
