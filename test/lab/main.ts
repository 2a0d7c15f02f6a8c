import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { release, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { readCorpus } from '#deploy/cli/corpus/corpus.ts';
import { corpusTable } from '#deploy/cli/corpus/corpus-table.ts';
import { judge, type Verdict } from '#deploy/cli/corpus/judge.ts';
import { readCapture } from '#deploy/cli/corpus/read-capture.ts';
import { score } from '#deploy/cli/corpus/score.ts';
import { TRUTH_FILE, type Truth } from '#deploy/cli/corpus/truth.ts';
import { watchCapture } from '#deploy/cli/corpus/watch-capture.ts';
import { seededRandom } from '#test/support/seeded-random.ts';
import { type CommandHelp, endWithUsage, readCommandLine } from '../../bin/command-line/command-line.ts';
import { takeKernelSettings } from './kernel-setting.ts';
import { machineProblems } from './machine-problems.ts';
import { followKernelLog } from './record-kernel-log.ts';
import { runScenario } from './run-scenario.ts';
import { SCENARIOS } from './scenarios.ts';

const HELP: CommandHelp = {
  name: 'lab',
  usage: `npm run lab [-- [--seed N] [--out FOLDER] [--list] NAME…]
  Makes programs crash on this machine, by attacks and by ordinary faults, records the kernel log and judges it by the rules.
  Needs root, gcc and a readable /dev/kmsg. Settings of the kernel are restored at the end.
  NAME    scenarios to run (default: all)
  --seed  seed of the addresses, sizes and orders (default: random)
  --out   folder that keeps the captures, as a corpus for \`trapline corpus run\`
  --list  prints the scenarios
`,
};
const MAX_RECORD_BYTES = 1 << 20;

/**
 * Resolves to the exit code: 0 if everything is judged correctly, 1 if not, 2 for a wrong command line or an unsuitable
 * machine.
 */
async function main(): Promise<number> {
  const options = readOptions();
  if (options.list) {
    for (const { name, note } of SCENARIOS) process.stdout.write(`${name.padEnd(24)}${note}\n`);
    return 0;
  }
  const problems = machineProblems();
  for (const problem of problems) progress(problem);
  if (problems.length > 0) return 2;
  const folder = options.out ?? (await mkdtemp(join(tmpdir(), 'trapline-lab-')));
  await mkdir(folder, { recursive: true });
  progress(`seed ${options.seed}, captures in ${folder}`);
  await record(folder, options);
  const verdicts = await judgeAll(folder);
  const total = score([...verdicts.values()]);
  process.stdout.write(corpusTable(verdicts, total));
  const right = total.found === total.attacks && total.falselyAlarmed === 0;
  if (right && options.out === undefined) await rm(folder, { recursive: true });
  return right ? 0 : 1;
}

/** Runs the scenarios and writes their captures and ground truth. */
async function record(folder: string, { seed, names }: LabOptions): Promise<void> {
  const programs = await mkdtemp(join(tmpdir(), 'trapline-lab-programs-'));
  await chmod(programs, 0o755);
  const settings = takeKernelSettings();
  const truths: Record<string, Truth> = {};
  try {
    const log = await followKernelLog();
    try {
      for (const scenario of SCENARIOS) {
        if (!names.includes(scenario.name)) continue;
        const machine = { folder: programs, log, settings, random: seededRandom(seedOf(seed, scenario.name)) };
        const { records, truth } = await runScenario(scenario, machine);
        progress(`${scenario.name}: ${records.length} records`);
        await writeFile(join(folder, `${scenario.name}.kmsg.gz`), gzipSync(`${records.join('\n')}\n`));
        truths[scenario.name] = { ...truth, source: `Linux ${release()}, ${process.arch}, seed ${seed}` };
        await writeFile(join(folder, TRUTH_FILE), `${JSON.stringify(truths, null, 1)}\n`);
      }
    } finally {
      await log.stop();
    }
  } finally {
    settings.restore();
    await rm(programs, { recursive: true });
  }
}

/** Returns the seed of a scenario, which does not depend on the other scenarios of the run. */
function seedOf(seed: number, name: string): number {
  return [...name].reduce((sum, letter) => Math.imul(sum, 31) + (letter.codePointAt(0) ?? 0), seed);
}

async function judgeAll(folder: string): Promise<Map<string, Verdict>> {
  const verdicts = new Map<string, Verdict>();
  for (const { name, file, truth } of (await readCorpus(folder)).entries) {
    const watch = watchCapture(truth, DEFAULT_DETECTION_SETTINGS);
    const reading = { signalDialect: 'v1', limits: { maxBytes: MAX_RECORD_BYTES }, refused: () => {} } as const;
    for await (const accepted of readCapture(file, reading)) watch.feed(accepted);
    verdicts.set(name, judge(truth, watch.alerts()));
  }
  return verdicts;
}

interface LabOptions {
  readonly seed: number;
  readonly names: readonly string[];
  readonly out: string | undefined;
  readonly list: boolean;
}

function readOptions(): LabOptions {
  const { values, positionals } = readCommandLine(HELP, {
    allowPositionals: true,
    options: { seed: { type: 'string' }, out: { type: 'string' }, list: { type: 'boolean', default: false } },
  });
  const all = SCENARIOS.map(({ name }) => name);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 1e6));
  if (!Number.isSafeInteger(seed)) endWithUsage(HELP, `--seed: must be a whole number (got ${values.seed})`);
  const unknown = positionals.filter((name) => !all.includes(name));
  if (unknown.length > 0) endWithUsage(HELP, `unknown scenario: ${unknown.join(', ')}; --list prints all`);
  return { seed, names: positionals.length > 0 ? positionals : all, out: values.out, list: values.list };
}

function progress(text: string): void {
  process.stderr.write(`lab: ${text}\n`);
}

process.exitCode = await main();
