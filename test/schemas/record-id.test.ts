import { expect, it } from 'vitest';
import { parseRecordId, recordId } from '#schemas/record-id.ts';

it.each([
  [{ topic: 'events.v1', partition: 3, offset: 42 }, 'events.v1~3~42'],
  [{ topic: 'team-a_events.v1', partition: 0, offset: 0 }, 'team-a_events.v1~0~0'],
  [{ topic: 'local.http', partition: 0, offset: Number.MAX_SAFE_INTEGER }, 'local.http~0~9007199254740991'],
])('converts %j to %s and back', (identity, id) => {
  expect(recordId(identity)).toBe(id);
  expect(parseRecordId(id)).toEqual(identity);
});

it.each([
  '',
  'events.v1',
  'events.v1/3',
  'a/b/3/4',
  'events.v1/-1/4',
  'events.v1/3/9007199254740992',
  'a b/1/2',
  'a/1/2\n',
])('rejects %j as an id', (id) => {
  expect(parseRecordId(id)).toBeUndefined();
});
