import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the project. */
export const ROOT = fileURLToPath(new URL('../', import.meta.url));

/** Returns the files of the project that match the patterns of `git ls-files`, without ignored and deleted ones. */
export function projectFiles(...patterns: readonly string[]): string[] {
  const list = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return list.split('\n').filter((file) => file !== '' && existsSync(path.join(ROOT, file)));
}

/** Patterns of all TypeScript and JavaScript modules. */
export const MODULES = ['*.ts', '*.tsx', '*.mjs'] as const;
