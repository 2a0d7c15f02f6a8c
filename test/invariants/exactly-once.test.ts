import { expect, test } from 'vitest';
import { problemsOf } from './exactly-once.ts';
import type { OracleResult } from './oracle.ts';

const DETECTION = {
  id: 'det_1',
  revision: 2,
  severity: 'high',
  hostname: 'a',
  message: 'm',
  crashes: 3,
  suppressedAtLeast: 0,
  valuesTotal: 3,
  evidenceCount: 3,
};
const EXACT: OracleResult = {
  sent: [],
  events: ['0/0 aa', '0/2 cc'],
  expectedEvents: ['0/0 aa', '0/2 cc'],
  deadLetters: ['0/1 bb'],
  expectedDeadLetters: ['0/1 bb'],
  deadLetterTopic: ['0/1 bb'],
  detections: [DETECTION],
  expectedDetections: [DETECTION],
  published: ['det_1 2'],
  expectedPublished: ['det_1 2'],
  numbersMissingFromTopic: [],
  replicaDifferences: [],
  unusedShards: 0,
  exitCodes: [0, 0],
  blows: [],
};

test('reports no problems for exact delivery, in any order', () => {
  expect(problemsOf(EXACT)).toEqual([]);
  expect(problemsOf({ ...EXACT, events: EXACT.events.toReversed() })).toEqual([]);
});

test.each<[string, Partial<OracleResult>]>([
  ['1 events missing: 0/2 cc', { events: ['0/0 aa'] }],
  ['1 events doubled or other than expected: 0/0 aa', { events: ['0/0 aa', '0/0 aa', '0/2 cc'] }],
  ['1 events missing: 0/2 cc', { events: ['0/0 aa', '0/2 dd'] }],
  ['1 dead letters missing: 0/1 bb', { deadLetters: [] }],
  ['1 dead letters doubled', { deadLetters: ['0/1 bb', '0/1 bb'] }],
  ['1 dead letters on their topic missing', { deadLetterTopic: [] }],
  ['1 detections missing', { detections: [] }],
  ['1 detections doubled', { detections: [DETECTION, DETECTION] }],
  ['1 detections missing', { detections: [{ ...DETECTION, crashes: 4 }] }],
  ['1 published revisions missing', { published: [] }],
  ['1 published revisions doubled or other', { published: ['det_1 2', 'det_1 3'] }],
  ['1 numbers on the topic missing: 7', { numbersMissingFromTopic: [7] }],
  ['events of replica 2 differ', { replicaDifferences: ['events of replica 2 differ'] }],
  ['1 shards have no events', { unusedShards: 1 }],
  ['a process ended with 137', { exitCodes: [0, 137] }],
  ['nothing to detect', { detections: [], expectedDetections: [] }],
  ['nothing to refuse', { deadLetters: [], deadLetterTopic: [], expectedDeadLetters: [] }],
])('reported: %s', (problem, changed) => {
  expect(problemsOf({ ...EXACT, ...changed })).toContainEqual(expect.stringContaining(problem));
});
