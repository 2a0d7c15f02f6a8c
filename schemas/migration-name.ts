import { PRODUCT_VERSION } from './product-version.ts';

/**
 * Suffix of a migration that removes or changes something that older versions use: `…-since-0-3-0` works with 0.3.0 and
 * later.
 */
const SINCE = /-since-(\d+)-(\d+)-(\d+)$/;

/**
 * Returns the oldest version that works with the tables after this migration. Returns undefined if the migration only
 * adds to them, so that every version works.
 */
export function oldestVersionFor(migration: string): string | undefined {
  const [, major, minor, patch] = SINCE.exec(migration) ?? [];
  return major === undefined ? undefined : `${major}.${minor}.${patch}`;
}

/** Returns the migrations of a newer version that this version does not work with. */
export function incompatibleMigrations(names: readonly string[], version = PRODUCT_VERSION): readonly string[] {
  return names.filter((name) => {
    const oldest = oldestVersionFor(name);
    return oldest !== undefined && compareVersions(version, oldest) < 0;
  });
}

/** Returns a negative number if `a` is older than `b`. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  const differs = left.findIndex((number, index) => number !== right[index]);
  return differs < 0 ? 0 : (left[differs] ?? 0) - (right[differs] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10));
}
