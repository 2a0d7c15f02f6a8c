import { MODULES, projectFiles, ROOT } from '../source-files.ts';
import { forbiddenImports, importCircles } from './check-imports.ts';
import { readImports } from './read-imports.ts';

/** Checks the import directions of the whole project and prints each problem. Exits with 1 if there are any. */
const files = projectFiles(...MODULES).filter((file) => file.includes('/'));
const imports = new Map(files.map((file) => [file, readImports(ROOT, file)]));
const circles = importCircles(imports).map((circle) => `these files import each other: ${circle.join(', ')}`);
const problems = [...forbiddenImports(imports), ...circles];
for (const problem of problems) process.stderr.write(`imports: ${problem}\n`);
process.stderr.write(`imports: ${files.length} files, ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
