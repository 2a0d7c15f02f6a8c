import { expect, test } from 'vitest';
import { createValidateStep } from '#ingest/pipeline/validate.ts';

const segv = Buffer.from(
  '{"version":"V1","timestamp":"2026-03-01T08:15:30Z","event":{"type":"LinuxFatalSignal","level":"Info","facility":"Kern","signal":"Segv","stack_dump":{}}}',
);

test('the configured signal dialect applies', () => {
  expect(createValidateStep({ signalDialect: 'v1' })(segv)).toMatchObject({
    ok: false,
    code: 'not_in_enumeration',
    path: '$.event.signal',
  });
  expect(createValidateStep({ signalDialect: 'short' })(segv)).toMatchObject({
    ok: true,
    event: { event: { signal: 'SIGSEGV' } },
  });
});

test('one rejected record does not affect others', () => {
  const validate = createValidateStep({ signalDialect: 'v1' });
  const good = Buffer.from(segv.toString().replace('Segv', 'SIGSEGV'));
  expect([good, Buffer.from('{'), segv, good].map((text) => validate(text).ok)).toEqual([true, false, false, true]);
});
