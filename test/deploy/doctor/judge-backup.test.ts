import { expect, test } from 'vitest';
import { judgeBackup } from '#deploy/doctor/judge-backup.ts';

const now = new Date('2026-11-27T12:00:00Z');

test('a backup of the last two days is fine, an older one and none are to look at', () => {
  expect(judgeBackup(new Date('2026-11-26T02:30:00Z'), now)).toEqual({ state: 'fine', found: '2026-11-26T02:30Z' });
  expect(judgeBackup(new Date('2026-11-24T02:30:00Z'), now)).toMatchObject({
    state: 'look',
    found: '2026-11-24T02:30Z, 3 days ago',
  });
  expect(judgeBackup(undefined, now)).toMatchObject({ state: 'look', found: 'none is recorded' });
});
