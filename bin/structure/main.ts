import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MODULES, projectFiles, ROOT } from '../source-files.ts';
import { readmeProblems, sourceProblems, testFolderProblems } from './check-structure.ts';

/** Checks names and lengths of files, folders of tests and READMEs. Exits with 1 if there are problems. */
const files = projectFiles();
const modules = projectFiles(...MODULES).map((file) => ({
  file,
  lines: readFileSync(path.join(ROOT, file), 'utf8').split('\n').length - 1,
}));
const problems = [...sourceProblems(modules), ...testFolderProblems(files), ...readmeProblems(files)];
for (const problem of problems) process.stderr.write(`structure: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
