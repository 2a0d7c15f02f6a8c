import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type RunSummary, readRuns, recordRun, summaryLines } from './summary.ts';

test('counts faults by kind and process kind, and adds up the figures', () => {
  const run = (seed: number): RunSummary => ({
    seed,
    problems: [],
    rounds: 3,
    seconds: 1,
    faults: [
      { kind: 'kill', what: ['kafka'] },
      { kind: 'cut', what: ['kafka', 'worker'] },
    ],
    figures: { 'events stored': 10 },
    unplanned: [{ name: `ingest-${seed}`, code: 1 }],
  });
  expect(summaryLines([run(1), run(2)])).toEqual([
    '        kill  freeze  cut  fill  clock  all',
    'kafka      2       0    2     0      0    4',
    'worker     0       0    2     0      0    2',
    'faults     2       0    2     0      0    4',
    '',
    '2 runs, 6 rounds without problems, 0 runs with problems',
    'events stored: 20',
    'ended by itself: ingest with exit code 1, 2 times',
  ]);
});

test('reads recorded runs in their order', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-summary-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'runs.ndjson');
  const common = { problems: [], rounds: 1, seconds: 1, faults: [], figures: {}, unplanned: [] };
  for (const seed of [3, 1]) await recordRun(file, { ...common, seed, shape: 'small' });
  expect((await readRuns(file)).map(({ seed }) => seed)).toEqual([3, 1]);
});
