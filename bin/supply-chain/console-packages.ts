import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const IMPORTED = /(?:from|import)\s+'((?:@[\w.-]+\/)?[\w.-]+)(?:\/[^']*)?'/g;

/**
 * Returns the names of the packages that the web console imports. They are shipped in its build, although npm treats
 * them as development dependencies.
 */
export function consolePackages(root: string): string[] {
  const folder = join(root, 'dashboards/console/src');
  const sources = globSync('**/*.{ts,tsx}', { cwd: folder }).filter((file) => !file.endsWith('.d.ts'));
  const names = sources.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORTED)].map(([, name = '']) => name),
  );
  return [...new Set(names)].filter((name) => !name.startsWith('.')).sort();
}
