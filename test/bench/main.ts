import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { inspect, parseArgs } from 'node:util';
import { createServices } from '../support/services/services.ts';
import { BENCHES, type BenchName, ON_REQUEST, withoutStores } from './benches.ts';
import type { BenchContext } from './context.ts';
import { describeMachine } from './machine.ts';
import { findStores } from './processes.ts';
import { reportText } from './report.ts';
import { type BenchRow, isMet } from './row.ts';

const NAMES = Object.keys(BENCHES) as BenchName[];

const USAGE = `npm run bench [-- [--json] [--events N] [--rounds N] NAME…]
  Figures of the product as ratios against a baseline that runs in turns with it.
  Names: ${NAMES.join(', ')}; all when none is given, but for ${[...ON_REQUEST].join(', ')}.
  --json      prints the result as JSON instead of a table
  --events    events of a throughput run (default 1,000,000), or of a table that is only read
              (default 10,000,000; docs/performance.md has figures for 100,000,000, which need 8 GB of disk, and for 1,000,000,000)
  --rounds    turns of each side in a throughput run (default 3)
`;

/**
 * Runs the benchmarks. Returns the exit code: 0 also when a target is missed, 1 when a benchmark fails to run, 2 for an
 * invalid command line.
 */
async function main(): Promise<number> {
  if (process.argv.includes('--help') || process.argv.includes('-h')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const options = readOptions();
  if (options === undefined) {
    process.stderr.write(USAGE);
    return 2;
  }
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

function readOptions(): BenchOptions | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { json: { type: 'boolean' }, events: { type: 'string' }, rounds: { type: 'string' } },
    });
    const names = positionals.length > 0 ? positionals.filter(isName) : NAMES.filter((name) => !ON_REQUEST.has(name));
    const [events, rounds] = [Number(values.events ?? 1_000_000), Number(values.rounds ?? 3)];
    if (names.length < positionals.length || !(events >= 1000) || !(rounds >= 1)) return undefined;
    const stored = values.events === undefined ? 10_000_000 : events;
    return { json: values.json === true, names, events, stored, rounds };
  } catch {
    return undefined;
  }
}

function isName(text: string): text is BenchName {
  return Object.hasOwn(BENCHES, text);
}

function progress(text: string): void {
  process.stderr.write(`bench: ${text}\n`);
}

process.exitCode = await main();
