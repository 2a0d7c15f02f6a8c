import { globSync } from 'node:fs';
import { readImports } from '../imports/read-imports.ts';

/**
 * Modules that start services, processes, browsers, or threads for programs of users, which take seconds of CPU time. A
 * test that imports one of them, directly or indirectly, is not a unit test.
 */
const OUTSIDE = [
  /^node:child_process$/,
  /^playwright-core$/,
  /^test\/support\/(?:use-services|trapline-process|chromium|browser|console-server|out-of-reach|small-disk)\.ts$/,
  /^test\/support\/services\//,
  /^deploy\/engines\//,
  /^api\/executions\/(?:sandbox\/sandbox|expressions\/(?:expressions|jq-worker))\.ts$/,
  /^api\/(?:workflows\/definitions\/checker|executions\/json-schema\/schemas|threads\/limit-thread)\.ts$/,
];

/** Divides the test files into unit tests, long tests, and all others. Paths are relative to `root`. */
export function divideTests(root: string): {
  readonly unit: string[];
  readonly others: string[];
  readonly long: string[];
} {
  const outside = new Map<string, boolean>();
  const reachesOutside = (file: string): boolean => {
    const known = outside.get(file);
    if (known !== undefined) return known;
    outside.set(file, false); // An import cycle adds nothing.
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
