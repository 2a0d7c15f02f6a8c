import { expect, test } from 'vitest';
import { at, dump, trap } from '#analytics/detections/rule-case.ts';
import { createProgramStore } from '#analytics/detections/state/program-store.ts';
import { createWaitingEvents } from '#analytics/detections/state/waiting-events.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';

const LIMITS = { maxPrograms: 10, maxProgramsPerHost: 10, maxPoints: 1_000 };
const EVENTS = 200;

test('processes events in order, and the last of them on request', () => {
  const store = createProgramStore(LIMITS, () => {});
  const judged: AcceptedEvent[] = [];
  const waiting = createWaitingEvents(store, (event) => judged.push(event));
  const events = Array.from({ length: EVENTS }, (_, i) => at(i, trap(0x40_1000, { pid: i }), 'edge-1'));
  for (const event of events) waiting.add(event);
  expect(judged.length).toBeLessThan(EVENTS);
  waiting.judge();
  expect(judged).toEqual(events);
  waiting.judge();
  expect(judged).toHaveLength(EVENTS);
});

test('an event has the stored host and program of its names', () => {
  const store = createProgramStore(LIMITS, () => {});
  const host = store.host('edge-1', undefined);
  const program = store.program(host, 'nginx', 'nginx', undefined);
  const found: unknown[] = [];
  const waiting = createWaitingEvents(store, (_, ...probable) => found.push(probable));
  waiting.add(at(1, trap(0x40_1000, { procname: 'nginx', pid: 1 }), 'edge-1'));
  waiting.add(at(1, dump({ Comm: 'nginx', PID: '1' }), 'edge-1'));
  waiting.add(at(1, trap(0x40_1000, { procname: 'unknown', pid: 1 }), 'edge-1'));
  waiting.add(at(1, trap(0x40_1000, { procname: 'nginx', pid: 1 }), 'edge-2'));
  waiting.judge();
  expect(found).toEqual([
    [host, program],
    [host, program],
    [host, undefined],
    [undefined, undefined],
  ]);
});

test('does not use a program that was evicted since it was found', () => {
  const store = createProgramStore({ ...LIMITS, maxPrograms: 1 }, () => {});
  const host = store.host('edge-1', undefined);
  const program = store.program(host, 'nginx', 'nginx', undefined);
  expect(store.program(host, 'nginx', 'nginx', program)).toBe(program);
  store.program(host, 'other', 'other', undefined);
  expect(store.find(host, 'nginx')).toBeUndefined();
  expect(store.program(host, 'nginx', 'nginx', program)).not.toBe(program);
});
