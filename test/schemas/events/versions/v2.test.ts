import { expect, test } from 'vitest';
import { createEventReader } from '#schemas/events/event-reader.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { TRAP_EVENT } from '../sample-event.ts';

const { version: _, hostname, ...rest } = TRAP_EVENT;
const V2 = { ...rest, version: 'V2', host: hostname };

test('an event is read as the internal event, by both readers, however often', () => {
  const read = createEventReader({ learnEvery: 1 });
  for (let times = 0; times < 3; times += 1) {
    const text = JSON.stringify(V2);
    expect(readEvent(text)).toMatchObject({ ok: true, event: TRAP_EVENT });
    expect(read(Buffer.from(text))).toEqual(readEvent(text));
    const v1 = JSON.stringify(TRAP_EVENT);
    expect(read(Buffer.from(v1))).toEqual(readEvent(v1));
  }
});

test('64-bit fields keep every digit', () => {
  const text = JSON.stringify({ ...V2, event: { ...V2.event, ip: 4_711_999_111 } });
  expect(readEvent(text.replace('4711999111', '18446744073709551615'))).toMatchObject({
    ok: true,
    event: { event: { ip: 18446744073709551615n } },
  });
});

test('enclosed events are of the same version and become internal events', () => {
  const probe = { type: 'RegisterProbe', message: 'm', procname: 'p', register: 'ip' };
  const enclosing = (event: unknown) =>
    JSON.stringify({ ...V2, event: { ...probe, justification: { FullEvents: [event] } } });
  expect(readEvent(enclosing(V2))).toMatchObject({
    ok: true,
    event: { version: 'V1', event: { justification: { FullEvents: [TRAP_EVENT] } } },
  });
  expect(readEvent(enclosing(TRAP_EVENT))).toMatchObject({ ok: false });
});

test('a wrong event is refused at its own path', () => {
  expect(readEvent(JSON.stringify({ ...V2, host: null }))).toMatchObject({ code: 'wrong_type', path: '$.host' });
  expect(readEvent(JSON.stringify({ ...V2, timestamp: 'now' }))).toMatchObject({
    code: 'invalid_timestamp',
    path: '$.timestamp',
  });
});
