import { expect, test } from 'vitest';
import { hostUrls } from '#api/postgres/hosts.ts';

test.each([
  ['postgres://db/trapline', ['postgres://db/trapline']],
  [
    'postgresql://u:p@a:5433,b/trapline?sslmode=require',
    ['postgresql://u:p@a:5433/trapline?sslmode=require', 'postgresql://u:p@b/trapline?sslmode=require'],
  ],
  [
    'postgres://u:p,q@[::1]:5432,10.0.0.2:5433/trapline',
    ['postgres://u:p,q@[::1]:5432/trapline', 'postgres://u:p,q@10.0.0.2:5433/trapline'],
  ],
  ['postgres://u:p@%2Frun%2Fpostgresql:5432/trapline', ['postgres://u:p@%2Frun%2Fpostgresql:5432/trapline']],
])('lists the hosts of %s', (uri, urls) => {
  expect(hostUrls(uri)).toEqual(urls);
});

test.each(['mysql://db/trapline', 'db:5432', 'postgres://a,,b/trapline', 'postgres://a:port,b/trapline'])(
  'rejects %s',
  (uri) => {
    expect(() => hostUrls(uri)).toThrow('must be a URL of PostgreSQL');
  },
);
