import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { observeTrackers } from '#deploy/processes/observe-trackers.ts';
import type { LaneStats } from '#ingest/pipeline/pipeline-lane.ts';

const lane = (programs: number, openEpisodes: number, evictions: number): LaneStats => ({
  state: 'running',
  programs,
  openEpisodes,
  evictions,
  queuedChunks: 0,
  failingSinceMs: undefined,
  lastLandedMs: undefined,
});

it('sums the current state of the lanes at each scrape', async () => {
  const registry = new Registry();
  let lanes = [lane(3, 1, 0), lane(4, 0, 2)];
  observeTrackers(registry, async () => lanes);
  const shown = async () => (await registry.metrics()).split('\n').filter((line) => line !== '' && line[0] !== '#');
  const expected = [
    'trapline_detection_programs 7',
    'trapline_detection_open_episodes 1',
    'trapline_detection_evictions_total 2',
  ];
  expect(await shown()).toEqual(expected);
  expect(await shown()).toEqual(expected);
  lanes = [];
  expect((await shown()).slice(0, 2).every((line) => line.endsWith(' 0'))).toBe(true);
});

it('counts nothing twice when a lane moves to another process', async () => {
  const registry = new Registry();
  let lanes = [lane(3, 1, 5), lane(4, 0, 2)];
  observeTrackers(registry, async () => lanes);
  const evictions = async () => /evictions_total (\d+)/.exec(await registry.metrics())?.[1];
  expect(await evictions()).toBe('7');
  lanes = [lane(4, 0, 2)];
  expect(await evictions()).toBe('7');
  lanes = [lane(4, 0, 3)];
  expect(await evictions()).toBe('8');
});
