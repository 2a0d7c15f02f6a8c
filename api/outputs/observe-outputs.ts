import { Counter, Gauge, type Registry } from 'prom-client';
import type { Database } from '#api/postgres/database.ts';
import { waitingMessages } from './tables/output-messages.ts';
import { listOutputs } from './tables/outputs.ts';

/** Hears what became of messages to outputs of a type. */
export type CountMessages = (type: string, outcome: 'delivered' | 'refused' | 'failed', count: number) => void;

/** Counted further it would cost more than it says. */
const MAX_LAG = 10_000;

/** Metrics of outputs: what became of messages here, and, asked at every scrape, how far each output is behind in the whole installation. */
export function observeOutputs({
  database,
  registry,
}: {
  readonly database: Database;
  readonly registry: Registry;
}): CountMessages {
  const messages = new Counter({
    name: 'trapline_output_messages_total',
    help: 'Messages about detections by type of output and what became of them; failed ones are tried again.',
    labelNames: ['type', 'outcome'],
    registers: [registry],
  });
  const labelNames = ['output', 'type'] as const;
  // Both gauges are asked at once, by one scrape: one look does for both.
  let looking: ReturnType<typeof lagsOf> | undefined;
  function look(): ReturnType<typeof lagsOf> {
    looking ??= lagsOf(database)
      .catch(() => [])
      .finally(() => {
        looking = undefined;
      });
    return looking;
  }
  new Gauge({
    name: 'trapline_output_waiting_messages',
    help: 'Messages that wait for an enabled output, up to 10,000.',
    labelNames,
    registers: [registry],
    async collect() {
      const lags = await look();
      this.reset();
      for (const { output, type, messages: waiting } of lags) this.set({ output, type }, waiting);
    },
  });
  new Gauge({
    name: 'trapline_output_waiting_seconds',
    help: 'For how long the first of them has been waiting; 0 when none does.',
    labelNames,
    registers: [registry],
    async collect() {
      const lags = await look();
      this.reset();
      for (const { output, type, oldestAt } of lags)
        this.set({ output, type }, oldestAt === null ? 0 : Math.max(0, (Date.now() - oldestAt.getTime()) / 1_000));
    },
  });
  return (type, outcome, count) => messages.inc({ type, outcome }, count);
}

async function lagsOf(database: Database) {
  const enabled = (await listOutputs(database)).filter((row) => row.enabled);
  return Promise.all(
    enabled.map(async ({ name: output, type, cursor, filter }) => ({
      output,
      type,
      ...(await waitingMessages(database, cursor, filter, MAX_LAG)),
    })),
  );
}
