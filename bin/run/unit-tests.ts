import { globSync } from 'node:fs';
import { readImports } from '../imports/read-imports.ts';

/** Modules that start services, processes or browsers. A test that imports one of them, directly or not, is not a unit test. */
const OUTSIDE = [
  /^node:child_process$/,
  /^playwright-core$/,
  /^test\/support\/(?:use-services|trapline-process|chromium|browser|console-server|out-of-reach|small-disk)\.ts$/,
  /^test\/support\/services\//,
  /^deploy\/engines\//,
];

/** The test files of the project in two groups: unit tests, and those that need services, processes or browsers. Paths are relative to `root`. */
export function divideTests(root: string): { readonly unit: string[]; readonly others: string[] } {
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
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  return {
    unit: files.filter((file) => !reachesOutside(file)),
    others: files.filter((file) => reachesOutside(file)),
  };
}
