import { expect, test } from 'vitest';
import { SETTING_NAMES } from '#deploy/config/schema.ts';
import { SETTING_GROUPS } from '#deploy/config/setting-groups.ts';

test('each setting belongs to one subject', () => {
  expect(SETTING_GROUPS.flatMap(({ settings }) => Object.keys(settings)).sort()).toEqual([...SETTING_NAMES].sort());
});
