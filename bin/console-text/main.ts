import { readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFiles, ROOT } from '../source-files.ts';
import { checkTexts } from './check-texts.ts';
import { unlocalisedFormats } from './unlocalised-formats.ts';
import { visibleLiterals } from './visible-literals.ts';

/**
 * Checks that console components take their texts from catalogues, and format numbers and times in the console's
 * language.
 */
const files = projectFiles('dashboards/console/src/*.ts', 'dashboards/console/src/*.tsx').map((file) => ({
  file,
  source: readFileSync(path.join(ROOT, file), 'utf8'),
}));
const found = files
  .filter(({ file }) => file.endsWith('.tsx'))
  .map(({ file, source }) => ({ file, literals: visibleLiterals(file, source) }));

const problems = [...checkTexts(found), ...files.flatMap(({ file, source }) => unlocalisedFormats(file, source))];
for (const problem of problems) process.stderr.write(`console text: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
