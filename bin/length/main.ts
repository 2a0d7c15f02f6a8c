import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MODULES, projectFiles, ROOT } from '../source-files.ts';
import { LIMIT, longFunctions, MAX_LINES } from './long-functions.ts';

/**
 * Checks the length of product functions. `over-limit.json` lists the functions above the limit by `file#name`, with
 * their number of lines: frozen migrations, and functions that remain to be split. The list must be exact; `--update`
 * writes it.
 */
const list = fileURLToPath(new URL('over-limit.json', import.meta.url));
const files = projectFiles(...MODULES)
  .filter((file) => /^(?:schemas|analytics|ingest|api|dashboards|deploy|bin)\//.test(file))
  .filter((file) => !/\/clients\/|\.gen\.ts$|\.d\.ts$/.test(file));

const found = files.flatMap((file) =>
  longFunctions(file, readFileSync(path.join(ROOT, file), 'utf8')).map((one) => ({ file, ...one })),
);
const overLimit = Object.fromEntries(
  found.filter(({ lines }) => lines > LIMIT).map(({ file, name, lines }) => [`${file}#${name}`, lines]),
);
if (process.argv.includes('--update')) writeFileSync(list, `${JSON.stringify(overLimit, null, 2)}\n`);
const known = JSON.parse(readFileSync(list, 'utf8')) as Readonly<Record<string, number>>;

const problems = [
  ...found
    .filter(({ lines, hasReason }) => lines <= LIMIT && !hasReason)
    .map(
      ({ file, line, name, lines }) =>
        `${file}:${line}: ${name} has ${lines} lines: split it, or say why above it ("Long: …")`,
    ),
  ...Object.entries(overLimit)
    .filter(([name, lines]) => lines > (known[name] ?? LIMIT))
    .map(([name, lines]) => `${name} has ${lines} lines, ${known[name] ?? LIMIT} are allowed`),
  ...Object.entries(known)
    .filter(([name, lines]) => (overLimit[name] ?? 0) < lines)
    .map(([name]) => `${name} is shorter than bin/length/over-limit.json says: run it with --update`),
];
for (const problem of problems) process.stderr.write(`length: ${problem}\n`);
const split = Object.keys(overLimit).length;
process.stderr.write(
  `length: ${found.length} functions over ${MAX_LINES} lines, ${split} over ${LIMIT}; ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
