import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { installFakeTime } from '#test/support/install-services.mjs';
import { isIsolated, isolatedCommand } from '#test/support/network.ts';
import { FAULT_KINDS, type FaultKind } from './faults/plan.ts';
import { SHAPES, type ShapeName } from './installation.ts';
import { runChaos } from './run.ts';
import { type RunSummary, summaryLines } from './summary.ts';

/**
 * `npm run soak -- --of cluster [--runs 5] [--seed 1] [--faults 10] [--kinds kill,freeze,cut,fill,clock] [--shape full]`: whole installations on a network of their own,
 * one for each seed, with faults at random while clients send. `--faults 0` is an undisturbed run, `--shape small` the smallest installation. Exit code 1 when any run failed. Needs root.
 */
const { values } = parseArgs({
  options: {
    of: { type: 'string' },
    runs: { type: 'string', default: '5' },
    seed: { type: 'string', default: '1' },
    faults: { type: 'string', default: '10' },
    kinds: { type: 'string', default: FAULT_KINDS.join() },
    shape: { type: 'string', default: 'full' },
    'fake-time': { type: 'string' },
    summary: { type: 'string' },
  },
});
const print = (line: string) => void process.stdout.write(`${line}\n`);
const kinds = values.kinds.split(',').map(kindNamed);
const shape = shapeNamed(values.shape);
const [runs, firstSeed, faults] = [values.runs, values.seed, values.faults].map(wholeNumber) as [
  number,
  number,
  number,
];

process.exitCode = isIsolated() ? await runHere() : await runEach();

/** One run, in the namespaces of this process. */
async function runHere(): Promise<number> {
  // Supervised processes do not keep this one running.
  const running = setInterval(() => {}, 60_000);
  const summary = await runChaos({ seed: firstSeed, faults, kinds, shape, fakeTime: values['fake-time'], print });
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
  const summaries: RunSummary[] = [];
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const file = path.join(folder, `${seed}.json`);
    const code = await runIsolated(seed, file, fakeTime);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    const summary: RunSummary =
      text === undefined
        ? { seed, problems: [`the run ended with ${code}`], seconds: 0, faults: [], figures: {}, unplanned: [] }
        : JSON.parse(text);
    summaries.push(summary);
    const verdict = summary.problems.length === 0 ? 'ok' : `FAILED: ${summary.problems.join('; ')}`;
    print(`seed ${seed}  ${summary.faults.length} faults  ${summary.seconds} s  ${verdict}`);
    if (summary.problems.length > 0)
      print(
        `repeat it: npm run soak -- --of cluster --runs 1 --seed ${seed} --faults ${faults} --kinds ${kinds.join()}`,
      );
  }
  await rm(folder, { recursive: true, force: true });
  const failed = summaries.filter(({ problems }) => problems.length > 0).length;
  for (const line of summaryLines(summaries)) print(line);
  print(`${summaries.length - failed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

function runIsolated(seed: number, summary: string, fakeTime: string | undefined): Promise<number | null> {
  const given = ['--seed', String(seed), '--faults', String(faults), '--kinds', kinds.join(), '--shape', shape];
  const clock = fakeTime === undefined ? [] : ['--fake-time', fakeTime];
  const program = [process.execPath, ...process.execArgv, fileURLToPath(import.meta.url)];
  const { command, args } = isolatedCommand([...program, ...given, '--summary', summary, ...clock]);
  const child = spawn(command, args, { stdio: 'inherit' });
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
