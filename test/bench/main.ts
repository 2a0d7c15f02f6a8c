import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { inspect } from 'node:util';
import {
  type CommandHelp,
  endWithUsage,
  positiveNumber,
  readCommandLine,
} from '../../bin/command-line/command-line.ts';
import { createServices } from '../support/services/services.ts';
import { BENCHES, type BenchName, ON_REQUEST, withoutStores } from './benches.ts';
import type { BenchContext } from './context.ts';
import { describeMachine } from './machine.ts';
import { findStores } from './processes.ts';
import { reportText } from './report.ts';
import { type BenchRow, isMet } from './row.ts';

const NAMES = Object.keys(BENCHES) as BenchName[];

const HELP: CommandHelp = {
  name: 'bench',
  usage: `npm run bench [-- [--json] [--events N] [--rounds N] NAME…]
  Figures of the product as ratios against a baseline that runs in turns with it.
  NAME        benchmarks to run (default: all except ${[...ON_REQUEST].join(', ')}):
              ${NAMES.join(', ')}
  --json      prints the result as JSON instead of a table
  --events    events of a throughput run (default 1,000,000), or of a table that is only read
              (default 10,000,000; docs/performance.md has figures for 100,000,000, which need 8 GB of disk, and for 1,000,000,000)
  --rounds    turns of each side in a throughput run (default 3)
`,
};
const MIN_EVENTS = 1_000;

/**
 * Runs the benchmarks. Returns the exit code: 0 also when a target is missed, 1 when a benchmark fails to run, 2 for an
 * invalid command line.
 */
async function main(): Promise<number> {
  const options = readOptions();
  const machine = describeMachine();
  const services = createServices(process.env, { forBenchmarks: true });
  const rows: BenchRow[] = [];
  const failures: { name: string; error: string }[] = [];
  let context: BenchContext | undefined;
  /** Starts the stores when the first benchmark needs them. */
  async function withStores({ events, stored, rounds }: BenchOptions): Promise<BenchContext> {
    const [kafka, clickHouse] = await Promise.all([services.get('kafka'), services.get('clickHouse')]);
    context ??= { kafka, clickHouse, stores: findStores(), events, stored, rounds, progress };
    return context;
  }
  try {
    for (const name of options.names) {
      progress(`${name} (load ${loadavg()[0]?.toFixed(1)})`);
      try {
        rows.push(...(await (withoutStores(name)?.() ?? BENCHES[name](await withStores(options)))));
      } catch (error) {
        failures.push({ name, error: inspect(error) });
        progress(`${name} failed: ${failures.at(-1)?.error}`);
      }
    }
  } finally {
    await services.stop();
  }
  const result = { machine, rows: rows.map((row) => ({ ...row, met: isMet(row) })), failures };
  const json = `${JSON.stringify(result, undefined, 2)}\n`;
  const file = new URL(`results/${new Date().toISOString().replaceAll(':', '-')}.json`, import.meta.url);
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, json);
  process.stdout.write(options.json ? json : reportText(machine, rows));
  return failures.length > 0 ? 1 : 0;
}

interface BenchOptions {
  readonly json: boolean;
  readonly names: readonly BenchName[];
  readonly events: number;
  readonly stored: number;
  readonly rounds: number;
}

function readOptions(): BenchOptions {
  const { values, positionals } = readCommandLine(HELP, {
    allowPositionals: true,
    options: { json: { type: 'boolean' }, events: { type: 'string' }, rounds: { type: 'string' } },
  });
  const unknown = positionals.filter((name) => !isName(name));
  if (unknown.length > 0) endWithUsage(HELP, `unknown benchmark: ${unknown.join(', ')}`);
  const names = positionals.length > 0 ? positionals.filter(isName) : NAMES.filter((name) => !ON_REQUEST.has(name));
  const events = positiveNumber(HELP, 'events', values.events ?? '1000000');
  if (events < MIN_EVENTS) endWithUsage(HELP, `--events: must be at least ${MIN_EVENTS} (got ${values.events})`);
  const rounds = positiveNumber(HELP, 'rounds', values.rounds ?? '3');
  const stored = values.events === undefined ? 10_000_000 : events;
  return { json: values.json === true, names, events, stored, rounds };
}

function isName(text: string): text is BenchName {
  return Object.hasOwn(BENCHES, text);
}

function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

process.exitCode = await main();
