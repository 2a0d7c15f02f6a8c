import { describe, expect, test } from 'vitest';
import type { KafkaRecord } from '#ingest/kafka/port.ts';
import { numberedRecords } from '#test/support/numbered-records.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { digest, distinct, expectedOf } from '../oracle.ts';
import { type Evidence, problemsOfRun, storedOnce } from './compare.ts';

const RECORDS = 120;

function record(offset: number, value: Buffer, ingestId?: string, partition = 0): KafkaRecord {
  const headers = ingestId === undefined ? {} : { 'ingest-id': ingestId };
  return { topic: 'events.v1', partition, offset, key: null, value, headers };
}

/** An undisturbed run in which one record was sent over HTTP and is on the topic twice. */
function faultless(): Evidence {
  const records = numberedRecords(seededRandom(1), 0, RECORDS).map(({ value }, offset) => record(offset, value));
  const event = numberedRecords(seededRandom(2), RECORDS, 50).find(({ fate }) => fate === 'event');
  const value = event?.value ?? Buffer.from('');
  const topic = [...records, record(RECORDS, value, 'a'), record(RECORDS + 1, value, 'a')];
  const expected = expectedOf(topic.slice(0, -1));
  const numberOf = ({ value: bytes }: KafkaRecord) => Number(/"n":(\d+)/.exec(String(bytes))?.[1]);
  const events = new Set(expected.expectedEvents);
  return {
    topic,
    events: expected.expectedEvents,
    deadLetters: expected.expectedDeadLetters,
    numbers: topic
      .slice(0, -1)
      .filter((one) => events.has(`${one.partition}/${one.offset} ${digest(one.value)}`))
      .map(numberOf),
    detections: expected.expectedDetections,
    detectionIds: expected.expectedDetections.map(({ id }) => id),
    published: distinct(expected.expectedPublished),
    replicaDifferences: [],
    acknowledged: RECORDS,
    accepted: new Set([event?.number ?? 0]),
    executions: new Map([[1, 'execution-1']]),
    executionRows: [{ id: 'execution-1', status: 'completed', n: 1, result: { n: 1 } }],
    repeatedEnds: [],
    startedFor: expected.expectedDetections.map(({ id }) => id),
    exceptions: new Set(['exception-1']),
    exceptionRows: ['exception-1'],
    auditedExceptions: ['exception-1'],
    auditBroken: null,
    auditVerified: 3,
    refusals: [],
    unsettled: [],
    exitCodes: new Map([['api-1', 0]]),
    isOverloaded: false,
  };
}

const RUN = faultless();

test('an undisturbed run has no problems', () => {
  expect(RUN.detections.length).toBeGreaterThan(0);
  expect(problemsOfRun(RUN)).toEqual([]);
});

describe('reports lost, duplicated and changed records', () => {
  const [event = ''] = RUN.events;
  const [, deadLetter = ''] = RUN.deadLetters;
  const [number = 0] = RUN.accepted;
  const [detection] = RUN.detections;
  test.each<[string, Partial<Evidence>, RegExp]>([
    ['a lost event', { events: RUN.events.slice(1) }, /1 events missing/],
    ['a doubled event', { events: [...RUN.events, event] }, /1 events doubled/],
    [
      'a lost dead letter',
      { deadLetters: RUN.deadLetters.filter((one) => one !== deadLetter) },
      /dead letters missing/,
    ],
    ['a record that Kafka lost', { acknowledged: RECORDS + 2 }, /acknowledged records are not on the topic/],
    ['a lost event of HTTP', { numbers: RUN.numbers.filter((n) => n !== number) }, /over HTTP are not stored/],
    ['a doubled event of HTTP', { numbers: [...RUN.numbers, number] }, /stored more than once/],
    ['a lost detection', { detections: RUN.detections.slice(1) }, /detections missing/],
    [
      'a detection that counted an event twice',
      { detections: RUN.detections.map((one) => (one === detection ? { ...one, crashes: one.crashes + 1 } : one)) },
      /detections doubled or other than expected/,
    ],
    ['a revision that was not published', { published: RUN.published.slice(1) }, /published revisions missing/],
    [
      'an execution that failed',
      { executionRows: [{ id: 'execution-1', status: 'failed', n: 1, result: null }] },
      /is failed/,
    ],
    ['an execution that is lost', { executionRows: [] }, /is not there/],
    [
      'a wrong result',
      { executionRows: [{ id: 'execution-1', status: 'completed', n: 1, result: { n: 2 } }] },
      /returned/,
    ],
    [
      'a request that started two executions',
      { executionRows: [...RUN.executionRows, { id: 'execution-2', status: 'completed', n: 1, result: { n: 1 } }] },
      /2 executions were started/,
    ],
    ['a detection without its workflow', { startedFor: RUN.startedFor.slice(1) }, /started by detections missing/],
    ['a lost exception', { exceptionRows: [], auditedExceptions: [] }, /accepted exceptions are not there/],
    ['a change without an entry', { auditedExceptions: [] }, /audit entries of exceptions missing/],
    ['a broken chain', { auditBroken: { id: 2 } }, /the audit log is broken/],
    [
      'an exit code of a busy machine that is no late end',
      { exitCodes: new Map([['api-1', 70]]), isOverloaded: true },
      /api-1 ended with 70/,
    ],
    ['an exit code', { exitCodes: new Map([['api-1', 1]]) }, /api-1 ended with 1/],
    ['a run in which nothing was accepted', { accepted: new Set<number>() }, /no event was accepted/],
  ])('%s', (_name, change, problem) => {
    expect(problemsOfRun({ ...RUN, ...change }).join('\n')).toMatch(problem);
  });
});

test('stores exactly one of several records with the same ingest id, whatever its partition', () => {
  const value = Buffer.from('{"n":1}');
  const copies = [record(0, value, 'a'), record(4, value, 'a', 1), record(1, Buffer.from('{"n":2}'), 'b')];
  const ids = copies.map(({ partition, offset, value: bytes }) => `${partition}/${offset} ${digest(bytes)}`);
  const [first = '', second = '', other = ''] = ids;
  expect(storedOnce(copies, new Set([second, other]))).toEqual({
    effective: [copies[1], copies[2]],
    repeated: 1,
    problems: [],
  });
  expect(storedOnce(copies, new Set([first, second, other])).problems).toHaveLength(1);
  expect(storedOnce(copies, new Set([other])).problems).toHaveLength(1);
});
