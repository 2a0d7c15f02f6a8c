import { globSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the paths of a command line that no test file contains, as vitest compares them: any part of the path, with
 * an optional line number. `long`: whether the run consists of the long tests or of the others.
 * @param {readonly string[]} paths
 * @param {{ root: string, long: boolean }} run
 */
export function unmatchedPaths(paths, { root, long }) {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => file.endsWith('.long.test.ts') === long);
  return paths.filter((given) => {
    const part = partOf(given, root);
    return !files.some((file) => file.includes(part));
  });
}

function partOf(given, root) {
  const plain = given.replace(/:\d+$/, '').replace(/^\.\//, '');
  return path.isAbsolute(plain) ? path.relative(root, plain) : plain;
}
