import { expect, test } from 'vitest';
import { statesOf } from '#dashboards/console/src/pages/first-steps/next-step.ts';
import { testEvent } from '#dashboards/console/src/pages/first-steps/test-event.ts';
import { readEvent } from '#schemas/events/read-event.ts';

test('the first unfinished step is the next one', () => {
  expect(statesOf({ keys: 0, events: true, detector: false, workflows: false })).toEqual({
    key: 'next',
    event: 'done',
    detector: 'later',
    workflow: 'later',
  });
});

test('a step that a role cannot see is neither done nor next', () => {
  expect(statesOf({ keys: 1, events: undefined, detector: undefined, workflows: false })).toEqual({
    key: 'done',
    event: 'unseen',
    detector: 'unseen',
    workflow: 'next',
  });
});

test('the test event is a valid V1 event', () => {
  expect(readEvent(JSON.stringify(testEvent(new Date())))).toMatchObject({ ok: true });
});
