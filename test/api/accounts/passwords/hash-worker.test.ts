import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const HASHER = fileURLToPath(import.meta.resolve('#api/accounts/passwords/hasher.ts'));
/** Root may raise priorities, other users may not. */
const AS_OTHERS =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set', '-sys_nice', '--inh-caps', '-sys_nice', '--'] : [];
/** Computes one hash, then prints the nice value of each thread: field 19 of /proc/self/task/ID/stat. */
const PROGRAM = `
  import { readdirSync, readFileSync } from 'node:fs';
  import { createHasher } from ${JSON.stringify(HASHER)};
  const hasher = createHasher({ threads: 1, cost: 4 });
  await hasher.hash('secret');
  const stats = readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/stat', 'utf8'));
  console.log(JSON.stringify(stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))));
  await hasher.close();
`;

/** A process may start with a lower priority. Without root it cannot raise it again. */
test.each([
  { nice: 0, hashing: 5 },
  { nice: 10, hashing: 15 },
  { nice: 18, hashing: 19 },
])('with nice $nice the hashing thread has a lower priority, at $hashing', async ({ nice, hashing }) => {
  const program = [process.execPath, '--input-type=module', '-e', PROGRAM];
  // The test process itself may have a lower priority.
  const { stdout } = await promisify(execFile)('nice', ['-n', String(nice - getPriority()), ...AS_OTHERS, ...program]);
  const threads: number[] = JSON.parse(stdout);
  expect(threads.filter((steps) => steps === hashing)).toHaveLength(1);
  expect(threads.filter((steps) => steps === nice).length).toBe(threads.length - 1);
});
