import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { TOPICS } from '#schemas/topics.ts';
import { startOtlpReceiver } from '../support/otlp-receiver.ts';
import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import { type IngestRun, runIngest } from './ingest-run.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { median } from './statistics.ts';

const PARTITIONS = 4;
/**
 * Minimum ratio: tracing may cost 2 % of the throughput, measured by processor time. Run-to-run differences of the rate
 * are larger.
 */
const AT_MOST = 0.98;
const SAMPLED_EVERY = 100;
const MAIN = fileURLToPath(new URL('../../deploy/cli/main.ts', import.meta.url));
/** Checkout to compare with, such as that of the last release. */
const BEFORE = process.env.BENCH_BEFORE;

/**
 * Measures the processor time an event that tracing costs `ingest`. Tracing off is compared with a checkout without
 * tracing (`BENCH_BEFORE`). Tracing on, with 1 % of the records and batches recorded and sent to a receiver, is
 * compared with tracing off. Sides alternate, and medians count.
 */
export async function benchTracing(context: BenchContext): Promise<BenchRow[]> {
  const { events, kafka, progress } = context;
  await using otlp = await startOtlpReceiver();
  const plain = await createFeed(kafka.brokers, PARTITIONS);
  const traced = await createFeed(kafka.brokers, PARTITIONS);
  try {
    progress(`filling two topics with ${events} events`);
    await plain.fill(0, events, fleetRecord);
    await traced.fill(0, events, tracedRecord);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, OTEL_TRACES_SAMPLER_ARG: String(1 / SAMPLED_EVERY) };
    const runs = await runSides(context, { plain, traced, env });
    progress(`${otlp.spans.length} spans of ${TOPICS.events} were received`);
    if (otlp.spans.length === 0) throw new Error('no span was received');
    return rowsOf(runs);
  } finally {
    await Promise.all([plain.close(), traced.close()]);
  }
}

interface Sides {
  readonly before: IngestRun[];
  readonly off: IngestRun[];
  readonly on: IngestRun[];
}

async function runSides(
  context: BenchContext,
  { plain, traced, env }: { readonly plain: Feed; readonly traced: Feed; readonly env: Record<string, string> },
): Promise<Sides> {
  const sides: Sides = { before: [], off: [], on: [] };
  const main = BEFORE === undefined ? undefined : path.resolve(BEFORE, path.relative(process.cwd(), MAIN));
  for (let round = 0; round < context.rounds; round += 1) {
    // Rotates the order, so that no side always has the same position.
    const turn = [
      async () => main !== undefined && sides.before.push(await runIngest(context, plain, 1, { main })),
      async () => sides.off.push(await runIngest(context, plain, 1)),
      async () => sides.on.push(await runIngest(context, traced, 1, { env })),
    ];
    for (const at of turn.keys()) await turn[(at + round) % turn.length]?.();
    const cost = (runs: readonly IngestRun[]) => runs.at(-1)?.cpu.reader.toFixed(2) ?? '–';
    context.progress(`µs an event: before ${cost(sides.before)}, off ${cost(sides.off)}, 1 % ${cost(sides.on)}`);
  }
  return sides;
}

function rowsOf({ before, off, on }: Sides): BenchRow[] {
  const perSecond = (runs: readonly IngestRun[]) => 1e6 / median(runs.map((run) => run.cpu.reader));
  const unit = 'events/s of a core';
  const details = (runs: readonly IngestRun[]) => [
    `µs an event, each run: ${runs.map((run) => run.cpu.reader.toFixed(2)).join(', ')}`,
  ];
  return [
    ...(before.length === 0
      ? []
      : [
          {
            ...ratioRow(
              'tracing: off, against a checkout without it',
              unit,
              perSecond(off),
              perSecond(before),
              AT_MOST,
            ),
            details: details(before),
          },
        ]),
    {
      ...ratioRow('tracing: 1 % recorded, against off', unit, perSecond(on), perSecond(off), AT_MOST),
      details: [...details(off), ...details(on)],
    },
  ];
}

/** Returns a record. One in a hundred has the trace context of a producer whose trace is recorded. */
function tracedRecord(index: number) {
  const record = fleetRecord(index);
  if (index % SAMPLED_EVERY !== 0) return record;
  const id = (index + 1).toString(16);
  return { ...record, headers: { traceparent: `00-${id.padStart(32, '0')}-${id.padStart(16, '0')}-01` } };
}
