import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type CgroupFacts, readCgroup } from '#ingest/detector/attribution/read-cgroup.ts';

interface Layout {
  readonly name: string;
  readonly cgroup: string;
  readonly expected: CgroupFacts;
}

const layouts = JSON.parse(
  readFileSync(new URL('../../../fixtures/cgroups/layouts.json', import.meta.url), 'utf8'),
) as Layout[];

test.each(layouts)('$name', ({ cgroup, expected }) => {
  expect(readCgroup(cgroup)).toEqual(expected);
});

test('the fixtures include every runtime with both cgroup versions', () => {
  expect(layouts.length).toBeGreaterThanOrEqual(30);
});

test.each(['', 'garbage', '0::', '0::relative', `0::/${'a'.repeat(65)}`, '1:name=systemd:/system.slice'])(
  'text without a process of a unit or container: %j',
  (text) => {
    expect(readCgroup(text)).toEqual({});
  },
);
