import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectFiles, ROOT } from '../source-files.ts';
import { type BannedWord, bannedWordsOf, type Ceilings, compareWithCeilings, longSubjects } from './count-banned.ts';

/**
 * Checks the words of all project text, and the subjects of commits. `--list FOLDER` prints each banned word below a
 * folder; `--update` writes the counts as the new ceilings.
 */
const ceilingsFile = fileURLToPath(new URL('./ceilings.json', import.meta.url));
const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 });

/** Third-party text, words as data, and generated files. */
const EXEMPT = [
  /^bin\/language\//,
  /^docs\/reference\//,
  /^api\/postgres\/migrations\/\d/, // frozen
  /^bin\/patches\/kafkajs/,
  /^test\/bin\/language\//,
  /\/fixtures\//,
  /^package-lock\.json$/,
  /schema\.d\.ts$/,
  /\.txt$/,
];
const TEXT = /\.(?:ts|tsx|mjs|js|md|py|json|yml|yaml|css|html)$/;
/** First commit whose subject is checked. */
const FIRST_CHECKED_COMMIT = '6635a03';

const files = projectFiles().filter((file) => TEXT.test(file) && !EXEMPT.some((exempt) => exempt.test(file)));
const found = new Map<string, BannedWord[]>(
  files.map((file) => [file, bannedWordsOf(readFileSync(path.join(ROOT, file), 'utf8'))]),
);
const counts = new Map<string, number>();
for (const [file, words] of found) {
  const folder = file.includes('/') ? (file.split('/')[0] as string) : '.';
  counts.set(folder, (counts.get(folder) ?? 0) + words.length);
}

const [option, folder = ''] = process.argv.slice(2);
if (option === '--list')
  for (const [file, words] of found)
    if (file.startsWith(folder))
      for (const { line, word, instead } of words) process.stdout.write(`${file}:${line}: "${word}": ${instead}\n`);
if (option === '--update')
  writeFileSync(
    ceilingsFile,
    `${JSON.stringify(Object.fromEntries([...counts].sort().filter(([, count]) => count > 0)), null, 2)}\n`,
  );

const ceilings = JSON.parse(readFileSync(ceilingsFile, 'utf8')) as Ceilings;
const problems = [...compareWithCeilings(counts, ceilings), ...longSubjects(checkedLog())];
for (const problem of problems) process.stderr.write(`language: ${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** Returns the log since that commit. In a shallow clone, returns only the latest commit. */
function checkedLog(): string {
  try {
    return git('log', '--no-merges', '--format=%h %s', `${FIRST_CHECKED_COMMIT}..HEAD`);
  } catch {
    return git('log', '--no-merges', '--format=%h %s', '-1');
  }
}
