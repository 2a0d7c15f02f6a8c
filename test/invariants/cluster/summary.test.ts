import { expect, test } from 'vitest';
import { type RunSummary, summaryLines } from './summary.ts';

test('faults are counted by kind and kind of process, and figures are added up', () => {
  const run = (seed: number): RunSummary => ({
    seed,
    problems: [],
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
    'events stored: 20',
    'ended by itself: ingest with exit code 1, 2 times',
  ]);
});
