import { Counter, Gauge, type Registry } from 'prom-client';
import { exemplarLabels, histogramWithExemplars } from '#api/http/exemplars.ts';
import type { Database } from '#api/postgres/database.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import { waitingMessages } from './tables/output-messages.ts';
import { listOutputs } from './tables/outputs.ts';

/** Called with the outcomes of messages, by output type. */
export interface OutputCounts {
  count(type: string, outcome: 'delivered' | 'refused' | 'failed', count: number): void;
  /** Called when a message was delivered, with the seconds since its cause. */
  delivered(type: string, seconds: number, trace: TraceContext | undefined): void;
}

/** Maximum counted lag. A higher count would cost more than it is worth. */
const MAX_LAG = 10_000;

/**
 * Registers metrics of outputs: outcomes of messages in this process and, queried at every scrape, the lag of each
 * output in the whole installation.
 */
export function observeOutputs({
  database,
  registry,
}: {
  readonly database: Database;
  readonly registry: Registry;
}): OutputCounts {
  const messages = new Counter({
    name: 'trapline_output_messages_total',
    help: 'Messages about detections by type of output and outcome; failed ones are retried.',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  });
  const labelNames = ['output', 'type'] as const;
  // One scrape reads both gauges concurrently, so they share one query.
  let pendingLags: ReturnType<typeof outputLags> | undefined;
  function readLags(): ReturnType<typeof outputLags> {
    pendingLags ??= outputLags(database)
      .catch(() => [])
      .finally(() => {
        pendingLags = undefined;
      });
    return pendingLags;
  }
  new Gauge({
    name: 'trapline_output_waiting_messages',
    help: 'Messages that wait for an enabled output, up to 10,000.',
    labelNames,
    registers: [registry],
    async collect() {
      const lags = await readLags();
      this.reset();
      for (const { output, type, messages: waiting } of lags) this.set({ output, type }, waiting);
    },
  });
  new Gauge({
    name: 'trapline_output_waiting_seconds',
    help: 'Waiting time of the oldest message of an enabled output; 0 if none waits.',
    labelNames,
    registers: [registry],
    async collect() {
      const lags = await readLags();
      this.reset();
      for (const { output, type, oldestAt } of lags)
        this.set({ output, type }, oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000));
    },
  });
  const duration = histogramWithExemplars(registry, {
    name: 'trapline_output_delivery_seconds',
    help: 'Time from the moment a message about a detection was ready until the receiver accepted it, by type of output. Messages that are sent again after a rejection are not counted.',
    labelNames: ['type'],
    buckets: [1, 5, 15, 60, 300, 900, 3_600, 21_600, 86_400],
  });
  return {
    count: (type, outcome, count) => messages.inc({ type, outcome }, count),
    delivered: (type, seconds, trace) =>
      duration.observe({ labels: { type }, value: Math.max(0, seconds), ...exemplarLabels(trace) }),
  };
}

/** Returns the lag of each enabled output, in the whole installation. */
export async function outputLags(database: Database) {
  const enabled = (await listOutputs(database)).filter((row) => row.enabled);
  return Promise.all(
    enabled.map(async ({ name: output, type, cursor, filter }) => ({
      output,
      type,
      ...(await waitingMessages(database, cursor, filter, MAX_LAG)),
    })),
  );
}
