import { setTimeout as pause } from 'node:timers/promises';
import { executionsClient } from '#test/support/executions-client.ts';
import { numberedRecords } from '#test/support/numbered-records.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';
import { waitFor } from '#test/support/wait-for.ts';

const EVENTS_AT_ONCE = 40;
/** Pause between two requests of one client. Requests are always in flight, and two cores are not saturated. */
const PAUSE_MS = 60;
export const WORKFLOW = 'waiter';

/** Load of an installation: the requests that clients send, and what was accepted. */
export interface Load {
  /** Numbers of the events that were accepted. */
  readonly events: ReadonlySet<number>;
  /** Ids of accepted executions, with the number that each must return. */
  readonly executions: ReadonlyMap<string, number>;
  readonly reads: () => number;
  /** Descriptions of requests without a successful response. */
  readonly failures: readonly string[];
  /** Resolves when each client has received this number of further successful responses. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

/** Sends events, starts executions and reads lists, one request of each kind at a time, until it is stopped. */
export function startLoad(url: string, key: string, random: SeededRandom): Load {
  const client = executionsClient(() => url, key);
  const events = new Set<number>();
  const executions = new Map<string, number>();
  const failures: string[] = [];
  let reads = 0;
  let over = false;
  const failed = (what: string, status: number, body: unknown) =>
    void failures.push(`${what}: ${status} ${JSON.stringify(body).slice(0, 300)}`);

  async function sendEvents(n: number): Promise<void> {
    const records = numberedRecords(random, n * EVENTS_AT_ONCE, EVENTS_AT_ONCE).filter(({ fate }) => fate === 'event');
    const batch = records.map(({ value }) => value.toString()).join(',');
    const { status, body } = await client.callText<{ accepted: number }>('POST', '/api/events', `[${batch}]`);
    if (status !== 200 || body.accepted !== records.length) failed('events', status, body);
    else for (const { number } of records) events.add(number);
  }

  async function execute(n: number): Promise<void> {
    const { status, body } = await client.run(WORKFLOW, { n });
    if (status !== 201) failed('execution', status, body);
    else executions.set(body.executionId, n);
  }

  async function read(n: number): Promise<void> {
    const list = ['/api/v1/executions?limit=5', '/api/detections?limit=5', '/api/events?limit=5'][n % 3] ?? '';
    const { status, body } = await client.call('GET', list);
    if (status !== 200) failed(list, status, body);
    else reads++;
  }

  const clients = [sendEvents, execute, execute, read].map(async (send, index) => {
    for (let n = 0; !over; n++) {
      await send(2 * n + (index % 2));
      await pause(PAUSE_MS);
    }
  });

  const counts = () => [events.size, executions.size, reads];
  return {
    events,
    executions,
    reads: () => reads,
    failures,
    async more(count) {
      const wanted = counts().map((before) => before + count);
      await waitFor(
        'requests to succeed',
        () => failures.length > 0 || counts().every((now, index) => now >= (wanted[index] ?? 0)),
      );
    },
    async stop() {
      over = true;
      await Promise.all(clients);
    },
  };
}
