import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTexts } from './check-texts.ts';
import { visibleLiterals } from './visible-literals.ts';

/** Checks that the components of the console take their texts from catalogues. */
const root = fileURLToPath(new URL('../../dashboards/console/src/', import.meta.url));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)));
const found = files.map((file) => ({
  file,
  literals: visibleLiterals(file, readFileSync(path.join(root, file), 'utf8')),
}));

const problems = checkTexts(found);
for (const problem of problems) process.stderr.write(`console text: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
