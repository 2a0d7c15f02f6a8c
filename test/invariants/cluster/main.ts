import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installFakeTime } from '#test/support/install-services.mjs';
import { isIsolated, isolatedCommand } from '#test/support/network.ts';
import { removeHome } from '#test/support/trapline-process.ts';
import { oneOf, readSoakOptions, soakOptions } from '../soak-options.ts';
import { FAULT_KINDS } from './faults/plan.ts';
import { SHAPES, type ShapeName } from './installation.ts';
import { runChaos } from './run.ts';
import { type RunSummary, readRuns, recordRun, summaryLines } from './summary.ts';

/**
 * `npm run soak -- --of cluster [--runs 5] [--seed 1] [--rounds 1] [--faults 10] [--kinds kill,freeze,cut,fill,clock]
 * [--shape full] [--minutes 60] [--record runs.ndjson]`: starts a complete installation on a private network for each
 * seed, and applies random faults while clients send. Compares everything after each round of faults. `--faults 0` is
 * an undisturbed run, `--shape small` the smallest installation. No round begins after `--minutes`. `--record` appends
 * the result of each run to a file, and `--sum FILE` prints the sums of its runs. Exit code 1 if any run failed. Needs
 * root.
 */
const values = soakOptions((args) => {
  const { kinds, shape, ...others } = readSoakOptions(args, {
    runs: 5,
    seed: 1,
    rounds: 1,
    faults: 10,
    kinds: FAULT_KINDS.join(),
    shape: 'full',
    minutes: 1000,
    record: undefined,
    sum: undefined,
    // Options that only the isolated process of one run gets.
    'fake-time': undefined,
    summary: undefined,
  });
  return {
    ...others,
    kinds: kinds.split(',').map((kind) => oneOf('kinds', kind, FAULT_KINDS)),
    shape: oneOf('shape', shape, Object.keys(SHAPES) as ShapeName[]),
  };
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const { kinds, shape, runs, seed: firstSeed, rounds, faults, minutes } = values;
const interrupted = new AbortController();

if (values.sum === undefined) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  process.exitCode = isIsolated() ? await runHere() : await runEach();
  // An interrupted run may wait for an event that never occurs.
  if (interrupted.signal.aborted) process.exit();
} else for (const line of summaryLines(await readRuns(values.sum))) print(line);

/** Performs one run in the namespaces of this process. */
async function runHere(): Promise<number> {
  // Keeps this process alive: supervised processes do not.
  const running = setInterval(() => {}, 60_000);
  const summary = await runChaos({
    seed: firstSeed,
    rounds,
    faults,
    kinds,
    shape,
    untilMs: minutes * 60_000,
    fakeTime: values['fake-time'],
    signal: interrupted.signal,
    print,
  });
  clearInterval(running);
  if (values.summary !== undefined) await writeFile(values.summary, JSON.stringify(summary));
  return summary.problems.length === 0 ? 0 : 1;
}

/** Performs each run in separate namespaces. */
async function runEach(): Promise<number> {
  if (process.getuid?.() !== 0) {
    print('the soak of a cluster creates network namespaces and mounts disks: run it as root');
    return 2;
  }
  const fakeTime = kinds.includes('clock') ? await installFakeTime(print) : undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-chaos-runs-'));
  // PostgreSQL runs unprivileged, and its folder is inside this one.
  await chmod(folder, 0o711);
  const summaries: RunSummary[] = [];
  const startedAt = performance.now();
  const isOver = () => interrupted.signal.aborted || performance.now() - startedAt > minutes * 60_000;
  for (let seed = firstSeed; seed < firstSeed + runs && !isOver(); seed++) {
    const summary = await runSeed(seed, path.join(folder, String(seed)), fakeTime);
    if (summary === undefined) break;
    summaries.push(summary);
    if (values.record !== undefined) await recordRun(values.record, { ...summary, shape });
    const verdict = summary.problems.length === 0 ? 'ok' : `FAILED: ${summary.problems.join('; ')}`;
    print(`seed ${seed}  ${summary.rounds} rounds  ${summary.faults.length} faults  ${summary.seconds} s  ${verdict}`);
    if (summary.problems.length > 0)
      print(
        `repeat it: npm run soak -- --of cluster --runs 1 --seed ${seed} --rounds ${rounds} --faults ${faults} --kinds ${kinds.join()} --shape ${shape}`,
      );
  }
  // Fails if the folder holds kept logs.
  await rmdir(folder).catch(() => {});
  const failed = summaries.filter(({ problems }) => problems.length > 0).length;
  for (const line of summaryLines(summaries)) print(line);
  print(`${summaries.length - failed} passed, ${failed} failed`);
  return failed === 0 && !interrupted.signal.aborted ? 0 : 1;
}

/**
 * Performs one run in a separate process whose temporary files are below `folder`. Resolves to undefined if the run was
 * interrupted.
 */
async function runSeed(seed: number, folder: string, fakeTime: string | undefined): Promise<RunSummary | undefined> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'summary.json');
  const code = await runIsolated(seed, folder, file, fakeTime);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(file, { force: true });
  // After a failed run the folder holds its logs, so it is kept.
  if (interrupted.signal.aborted || code === 0) await removeHome(folder);
  if (interrupted.signal.aborted) return undefined;
  if (text !== undefined) return JSON.parse(text);
  const problems = [`the run ended with ${code}`];
  return { seed, problems, rounds: 0, seconds: 0, faults: [], figures: {}, unplanned: [] };
}

function runIsolated(
  seed: number,
  folder: string,
  summary: string,
  fakeTime: string | undefined,
): Promise<number | null> {
  const given = Object.entries({ seed, rounds, faults, kinds: kinds.join(), shape, minutes, summary });
  const clock = fakeTime === undefined ? [] : ['--fake-time', fakeTime];
  const program = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)];
  const { command, args } = isolatedCommand([
    ...program,
    ...given.flatMap(([name, value]) => [`--${name}`, String(value)]),
    ...clock,
  ]);
  const child = spawn(command, args, { stdio: 'inherit', env: { ...process.env, TMPDIR: folder } });
  interrupted.signal.addEventListener('abort', () => child.kill('SIGTERM'), { once: true });
  return new Promise((resolve, reject) => void child.once('error', reject).once('exit', resolve));
}
