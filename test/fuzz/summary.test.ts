import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { addSummaries, formatSummary, readSummaries, type Summary, writeSummary } from './programs/summary.ts';

const gap = (ms: number, waitedMs: number) => ({
  target: 'x',
  from: 0,
  ms,
  bareMs: 1,
  lateMs: 0,
  waitedMs,
  open: false,
});
const summary = (
  seed: number,
  cases: number,
  peakMiB: number,
  ...gaps: [ReturnType<typeof gap>, ReturnType<typeof gap>]
): Summary => ({
  seeds: [seed],
  cases,
  seconds: 10,
  nextUnit: seed,
  outcomes: { script: { failed: cases } },
  faults: seed === 1 ? { memory: 1 } : {},
  processes: { service: { peakMiB, cpuSeconds: 5 } },
  health: {
    '/healthz': { answers: 50, refused: { 503: 1 }, longest: gaps[0], longestOwn: gaps[1], slowestAnswerMs: 9 },
  },
  statuses: { 200: 3 },
});

test('adds up the figures of runs, with the worst peaks and gaps', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-summaries-'));
  try {
    await writeSummary(path.join(folder, 'a.json'), summary(1, 100, 700, gap(3_000, 2_900), gap(800, 0)));
    await writeSummary(path.join(folder, 'b.json'), summary(2, 50, 800, gap(1_000, 0), gap(1_000, 0)));
    const all = addSummaries(await readSummaries(folder));
    expect(all).toMatchObject({
      seeds: [1, 2],
      cases: 150,
      nextUnit: 2,
      outcomes: { script: { failed: 150 } },
      faults: { memory: 1 },
      processes: { service: { peakMiB: 800, cpuSeconds: 10 } },
      health: {
        '/healthz': { answers: 100, refused: { 503: 2 }, longest: gap(3_000, 2_900), longestOwn: gap(1_000, 0) },
      },
      statuses: { 200: 6 },
    });
    expect(formatSummary(all)).toContain('150 cases in 20 s');
  } finally {
    await rm(folder, { recursive: true });
  }
});
