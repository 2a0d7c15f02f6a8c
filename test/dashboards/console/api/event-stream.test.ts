import { expect, test } from 'vitest';
import { type EventStream, followEvents, type StreamState } from '#dashboards/console/src/api/event-stream.ts';

type Heard = Parameters<Parameters<EventStream['addEventListener']>[1]>[0];

/** An event stream whose events the test emits. */
function byHand(address: string) {
  const listeners = new Map<string, (event: Heard) => void>();
  return {
    address,
    readyState: 1,
    closed: false,
    addEventListener(kind: string, listener: (event: Heard) => void) {
      listeners.set(kind, listener);
    },
    close() {
      this.closed = true;
    },
    say: (kind: string, lastEventId: string, data: unknown) =>
      listeners.get(kind)?.({ data: JSON.stringify(data), lastEventId }),
    /** `readyState` 2 means that the browser does not reconnect. */
    fail(readyState: 0 | 2) {
      this.readyState = readyState;
      this.say('error', '', null);
    },
  };
}

function following() {
  const opened: ReturnType<typeof byHand>[] = [];
  const states: StreamState[] = [];
  const heard: unknown[] = [];
  let refusals = 0;
  let again = Promise.withResolvers<void>();
  const end = followEvents(
    (last) => `/events?after=${last ?? 'the beginning'}`,
    { kinds: ['one', 'two'], onEvent: (event) => heard.push(event), onState: (state) => states.push(state) },
    {
      open(address) {
        const stream = byHand(address);
        opened.push(stream);
        again.resolve();
        again = Promise.withResolvers();
        return stream;
      },
      retryMs: 1,
      onRefused: () => {
        refusals += 1;
      },
    },
  );
  return { opened, states, heard, end, openedAgain: () => again.promise, refusals: () => refusals };
}

test('reconnects after a rejection, from the last received event', async () => {
  const { opened, states, heard, openedAgain, end, refusals } = following();
  opened[0]?.say('open', '', null);
  opened[0]?.say('one', '7', { a: 1 });
  opened[0]?.say('two', '', { b: 2 });
  const second = openedAgain();
  opened[0]?.fail(2);
  await second;
  opened[1]?.say('open', '', null);
  expect(opened.map(({ address }) => address)).toEqual(['/events?after=the beginning', '/events?after=7']);
  expect(states).toEqual(['live', 'refused', 'live']);
  expect(refusals()).toBe(1);
  expect(heard).toEqual([
    { kind: 'one', id: '7', data: { a: 1 } },
    { kind: 'two', id: '', data: { b: 2 } },
  ]);
  end();
  expect(opened[1]?.closed).toBe(true);
});

test('leaves reconnecting after a broken connection to the browser', () => {
  const { opened, states, end, refusals } = following();
  opened[0]?.fail(0);
  expect(refusals()).toBe(0);
  expect([states, opened.length]).toEqual([['connecting'], 1]);
  end();
  expect(opened[0]?.closed).toBe(true);
});
