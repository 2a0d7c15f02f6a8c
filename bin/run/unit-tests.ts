import { globSync } from 'node:fs';
import { readImports } from '../imports/read-imports.ts';

/** Modules that start services, processes, browsers, or threads that run programs of users, which use seconds of processor time. A test that imports one of them, directly or not, is not a unit test. */
const OUTSIDE = [
  /^node:child_process$/,
  /^playwright-core$/,
  /^test\/support\/(?:use-services|trapline-process|chromium|browser|console-server|out-of-reach|small-disk)\.ts$/,
  /^test\/support\/services\//,
  /^deploy\/engines\//,
  /^api\/executions\/(?:sandbox\/sandbox|expressions\/(?:expressions|jq-worker))\.ts$/,
  /^api\/(?:workflows\/definitions\/checker|executions\/json-schema\/schemas|threads\/limit-thread)\.ts$/,
];

/**
 * The test files of the project in three groups: unit tests, those that need services, processes, browsers or threads for programs of users, and the long ones. Paths are
 * relative to `root`.
 */
export function divideTests(root: string): {
  readonly unit: string[];
  readonly others: string[];
  readonly long: string[];
} {
  const outside = new Map<string, boolean>();
  const reachesOutside = (file: string): boolean => {
    const known = outside.get(file);
    if (known !== undefined) return known;
    outside.set(file, false); // a circle adds nothing
    const reaches = readImports(root, file).some(
      ({ specifier, file: target }) =>
        OUTSIDE.some((module) => module.test(target ?? specifier)) ||
        (target?.startsWith('test/') === true && /\.(?:ts|tsx|mjs)$/.test(target) && reachesOutside(target)),
    );
    outside.set(file, reaches);
    return reaches;
  };
  const all = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const long = all.filter((file) => file.endsWith('.long.test.ts'));
  const files = all.filter((file) => !long.includes(file));
  return {
    long,
    unit: files.filter((file) => !reachesOutside(file)),
    others: files.filter((file) => reachesOutside(file)),
  };
}
