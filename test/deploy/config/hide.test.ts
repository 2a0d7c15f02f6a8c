import { expect, test } from 'vitest';
import { hideCredentials } from '#deploy/config/hide.ts';

test.each([
  ['http://host:8123/path', 'http://host:8123/path'],
  ['http://user:secret@host/', 'http://***@host/'],
  ['postgres://u:p@ss@host/db', 'postgres://***@host/db'],
  ['u:secret@a:9092,b:9092', '***@a:9092,b:9092'],
  ['http://host/?user=u&password=secret&x=1', 'http://host/?user=u&password=***&x=1'],
  ['./.trapline', './.trapline'],
])('%s', (text, hidden) => {
  expect(hideCredentials(text)).toBe(hidden);
});
