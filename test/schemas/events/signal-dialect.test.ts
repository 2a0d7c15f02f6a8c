import { expect, test } from 'vitest';
import { readEvent } from '#schemas/events/read-event.ts';
import { FATAL_SIGNALS } from '#schemas/events/versions/v1.ts';
import { eventText } from './sample-event.ts';

const withSignal = (signal: unknown) => ({
  type: 'LinuxFatalSignal',
  level: 'Info',
  facility: 'Kern',
  signal,
  stack_dump: { signal: 'Segv' },
});

test.each([
  ['Segv', 'SIGSEGV'],
  ['Hup', 'SIGHUP'],
  ['Usr1', 'SIGUSR1'],
  ['StkFlt', 'SIGSTKFLT'],
  ['VTALRM', 'SIGVTALRM'],
  ['Abrt', 'SIGIOT'],
  ['Poll', 'SIGIO'],
])('%s is %s when the dialect is enabled, and rejected otherwise', (short, long) => {
  const text = eventText(withSignal(short));
  expect(readEvent(text)).toMatchObject({ ok: false, code: 'not_in_enumeration', path: '$.event.signal' });
  expect(readEvent(text, { signalDialect: 'v1' }).ok).toBe(false);
  expect(readEvent(text, { signalDialect: 'short' })).toMatchObject({
    ok: true,
    event: { event: { signal: long, stack_dump: { signal: 'Segv' } } },
  });
});

test('the names of the format are valid in any dialect', () => {
  for (const signal of FATAL_SIGNALS) {
    expect(readEvent(eventText(withSignal(signal)), { signalDialect: 'short' })).toMatchObject({
      ok: true,
      event: { event: { signal } },
    });
  }
});

test('nested events use the same dialect', () => {
  const inner = { version: 'V1', timestamp: '2026-03-01T08:15:30Z', event: withSignal('Segv') };
  const probe = {
    type: 'RegisterProbe',
    procname: 'p',
    register: 'RDI',
    message: 'm',
    justification: { FullEvents: [inner] },
  };
  const result = readEvent(eventText(probe), { signalDialect: 'short' });
  expect(result).toMatchObject({
    ok: true,
    event: { event: { justification: { FullEvents: [{ event: { signal: 'SIGSEGV' } }] } } },
  });
});

test.each(['Nope', '', 'SIG', 'sigsegv', 7, null, ['Segv'], '__proto__'])('%j stays rejected', (signal) => {
  const result = readEvent(eventText(withSignal(signal)), { signalDialect: 'short' });
  expect(result).toMatchObject({ ok: false, path: '$.event.signal' });
});

test('an unknown field named signal of another variant is unchanged', () => {
  const mismatch = { type: 'ConfigMismatch', key: 'k', expected_value: '1', observed_value: '0', signal: 'Segv' };
  expect(readEvent(eventText(mismatch), { signalDialect: 'short' })).toMatchObject({
    event: { event: { signal: 'Segv' } },
  });
});
