import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, rmdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installFakeTime } from '#test/support/install-services.mjs';
import { isIsolated, isolatedCommand } from '#test/support/network.ts';
import { removeHome } from '#test/support/trapline-process.ts';
import { FAULT_KINDS, type FaultKind } from './faults/plan.ts';
import { SHAPES, type ShapeName } from './installation.ts';
import { runChaos } from './run.ts';
import { type RunSummary, readRuns, recordRun, summaryLines } from './summary.ts';

/**
 * `npm run soak -- --of cluster [--runs 5] [--seed 1] [--rounds 1] [--faults 10] [--kinds kill,freeze,cut,fill,clock] [--shape full] [--minutes 60]
 * [--record runs.ndjson]`: whole installations on a network of their own, one for each seed, with faults at random while clients send. Everything is
 * compared after each round of faults. `--faults 0` is an undisturbed run, `--shape small` the smallest installation. No round begins after `--minutes`.
 * `--record` appends what each run did to a file, and `--sum FILE` prints the sums of its runs. Exit code 1 when any run failed. Needs root.
 */
const { values } = parseArgs({
  options: {
    of: { type: 'string' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '1' },
    faults: { type: 'string', default: '10' },
    kinds: { type: 'string', default: FAULT_KINDS.join() },
    shape: { type: 'string', default: 'full' },
    minutes: { type: 'string', default: '1000' },
    record: { type: 'string' },
    sum: { type: 'string' },
    // Of the isolated process of one run.
    'fake-time': { type: 'string' },
    summary: { type: 'string' },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const kinds = values.kinds.split(',').map(kindNamed);
const shape = shapeNamed(values.shape);
const [runs, firstSeed, rounds, faults, minutes] = [
  values.runs,
  values.seed,
  values.rounds,
  values.faults,
  values.minutes,
].map(wholeNumber) as [number, number, number, number, number];
const interrupted = new AbortController();

if (values.sum === undefined) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
  process.exitCode = isIsolated() ? await runHere() : await runEach();
  // What an interrupted run waits for never comes.
  if (interrupted.signal.aborted) process.exit();
} else for (const line of summaryLines(await readRuns(values.sum))) print(line);

/** One run, in the namespaces of this process. */
async function runHere(): Promise<number> {
  // Supervised processes do not keep this one running.
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

/** Each run in namespaces of its own. */
async function runEach(): Promise<number> {
  if (process.getuid?.() !== 0) {
    print('the soak of a cluster creates network namespaces and mounts disks: run it as root');
    return 2;
  }
  const fakeTime = kinds.includes('clock') ? await installFakeTime(print) : undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'trapline-chaos-runs-'));
  // PostgreSQL runs without privileges, and its folder is below.
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
  // Kept logs are in it.
  await rmdir(folder).catch(() => {});
  const failed = summaries.filter(({ problems }) => problems.length > 0).length;
  for (const line of summaryLines(summaries)) print(line);
  print(`${summaries.length - failed} passed, ${failed} failed`);
  return failed === 0 && !interrupted.signal.aborted ? 0 : 1;
}

/** One run in a process of its own, whose temporary files are below `folder`. Undefined when it was interrupted. */
async function runSeed(seed: number, folder: string, fakeTime: string | undefined): Promise<RunSummary | undefined> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'summary.json');
  const code = await runIsolated(seed, folder, file, fakeTime);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  await rm(file, { force: true });
  // What is left are the logs of a failed run.
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

function kindNamed(name: string): FaultKind {
  const kind = FAULT_KINDS.find((each) => each === name);
  if (kind === undefined) throw new Error(`there is no kind of fault ${name}: ${FAULT_KINDS.join(', ')}`);
  return kind;
}

function shapeNamed(name: string): ShapeName {
  if (Object.hasOwn(SHAPES, name)) return name as ShapeName;
  throw new Error(`there is no shape ${name}: ${Object.keys(SHAPES).join(', ')}`);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`a whole number is expected (got ${text})`);
  return number;
}
