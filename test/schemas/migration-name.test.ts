import { expect, test } from 'vitest';
import { compareVersions, incompatibleMigrations } from '#schemas/migration-name.ts';

test('a migration excludes only versions older than the one that its name ends with', () => {
  const names = ['0101-added', '0102-dropped-since-0-3-0', '0103-dropped-since-0-10-0'];
  expect(incompatibleMigrations(names, '0.2.0')).toEqual(names.slice(1));
  expect(incompatibleMigrations(names, '0.3.0')).toEqual(names.slice(2));
  expect(incompatibleMigrations(names, '0.10.0')).toEqual([]);
  expect(incompatibleMigrations(names, '1.0.0')).toEqual([]);
});

test('versions are compared by their numbers', () => {
  const versions = ['0.2.0', '0.2.1', '0.2.10', '0.10.0', '1.0.0'];
  expect(versions.toReversed().toSorted(compareVersions)).toEqual(versions);
});
