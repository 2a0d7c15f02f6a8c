import { expect, test } from 'vitest';
import { answerTo, isAnswerable } from '#schemas/api/answer-event.ts';

type Filters = Parameters<typeof answerTo>[0]['filters'];
const waitFor = (...filters: Filters) => ({ filters });

test('an answer carries the correlation of its execution and the decision', () => {
  const wait = waitFor({
    with: { type: 'org.example.decided', source: 'soc', data: { kind: 'isolation' } },
    correlate: { execution: { from: '${ .data.ref.execution }', expect: 'exec_1' } },
  });
  expect(answerTo(wait, { approved: true, by: 'ann' })).toEqual({
    complete: true,
    event: {
      specversion: '1.0',
      source: 'soc',
      type: 'org.example.decided',
      data: { kind: 'isolation', approved: true, by: 'ann', ref: { execution: 'exec_1' } },
    },
  });
});

test('a filter without a derivable value is left to a person', () => {
  const plain = { type: 'org.example.decided' };
  const of = (...filters: Filters) => answerTo(waitFor(...filters), {}).complete;
  expect(of({ with: plain, correlate: {} })).toBe(true);
  expect(of({ with: { type: 'org.example.(yes|no)' }, correlate: {} })).toBe(false);
  expect(of({ with: { ...plain, data: '${ .n > 1 }' }, correlate: {} })).toBe(false);
  expect(of({ with: plain, correlate: { a: { from: '${ .data.a + 1 }', expect: 2 } } })).toBe(false);
  expect(of({ with: plain, correlate: { a: { from: '.data.a' } } })).toBe(false);
  expect(of({ with: plain, correlate: {} }, { with: plain, correlate: {} })).toBe(false);
});

test('people do not answer events of the service itself', () => {
  expect(isAnswerable(waitFor({ with: { type: 'trapline.detection.opened' }, correlate: {} }))).toBe(false);
  expect(isAnswerable(waitFor({ with: { type: 'org.example.decided' }, correlate: {} }))).toBe(true);
});
