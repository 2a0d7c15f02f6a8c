import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkTexts } from './check-texts.ts';
import { unlocalisedFormats } from './unlocalised-formats.ts';
import { visibleLiterals } from './visible-literals.ts';

/**
 * Checks that console components take their texts from catalogues, and format numbers and times in the console's
 * language.
 */
const root = fileURLToPath(new URL('../../dashboards/console/src/', import.meta.url));
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))
  .map((file) => ({ file, source: readFileSync(path.join(root, file), 'utf8') }));
const found = files
  .filter(({ file }) => file.endsWith('.tsx'))
  .map(({ file, source }) => ({ file, literals: visibleLiterals(file, source) }));

const problems = [...checkTexts(found), ...files.flatMap(({ file, source }) => unlocalisedFormats(file, source))];
for (const problem of problems) process.stderr.write(`console text: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
