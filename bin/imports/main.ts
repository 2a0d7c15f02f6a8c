import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { forbiddenImports, importCircles } from './check-imports.ts';
import { readImports } from './read-imports.ts';

/** Checks the import directions of the whole project and prints each problem. Exits with 1 if there are any. */
const root = fileURLToPath(new URL('../../', import.meta.url));
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file.includes('/') && existsSync(`${root}/${file}`));
const imports = new Map(files.map((file) => [file, readImports(root, file)]));
const circles = importCircles(imports).map((circle) => `these files import each other: ${circle.join(', ')}`);
const problems = [...forbiddenImports(imports), ...circles];
for (const problem of problems) process.stderr.write(`imports: ${problem}\n`);
process.stderr.write(`imports: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
