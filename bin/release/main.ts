import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { archiveProblems } from './archives.ts';
import { release } from './release.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const USAGE = 'usage: npm run release -- VERSION | check';

/** `npm run release`: makes the commit, tag and archive of a version (`docs/contributing/release.md`), or checks the kept archives. */
async function main([command, ...rest]: readonly string[]): Promise<number> {
  if (command === undefined || command.startsWith('-') || rest.length > 0) {
    process.stderr.write(`${USAGE}\n`);
    return 2;
  }
  const problems =
    command === 'check'
      ? await archiveProblems(ROOT, print)
      : await release({ root: ROOT, version: command, now: new Date(), renderChart, report: print });
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

async function renderChart(): Promise<void> {
  await promisify(execFile)(process.execPath, ['test/distribution/main.ts', 'render'], { cwd: ROOT });
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

process.exitCode = await main(process.argv.slice(2));
