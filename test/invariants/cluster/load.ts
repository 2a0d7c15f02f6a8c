import { setTimeout as pause } from 'node:timers/promises';
import type { EventProducer } from '#ingest/kafka/port.ts';
import { TOPICS } from '#schemas/topics.ts';
import { numberedRecords } from '#test/support/numbered-records.ts';
import { type SeededRandom, seededRandom } from '#test/support/seeded-random.ts';

const RECORDS_AT_ONCE = 20;
const EVENTS_AT_ONCE = 10;
/** Pause between two requests of one client. */
const PAUSE_MS = 250;
/** Pause between two changes of exceptions, because their number is limited. */
const CHANGE_PAUSE_MS = 1000;
const REQUEST_TIMEOUT_MS = 30_000;
/** First number of events over HTTP. Records sent to Kafka are numbered from 0. */
export const FIRST_HTTP_NUMBER = 10_000_000;
export const WAITER = 'waiter';
export const ON_DETECTION = 'on-detection';

/** The requests that clients sent, and what was accepted. */
export interface Load {
  /** Number of records that Kafka acknowledged. */
  readonly records: number;
  /** Numbers of events that were accepted over HTTP. */
  readonly events: ReadonlySet<number>;
  /** Ids of accepted executions by the number that each must return. */
  readonly executions: ReadonlyMap<number, string>;
  /** Ids of accepted exceptions. */
  readonly exceptions: ReadonlySet<string>;
  /** Number of responses by status. Status 0: the connection broke or the request timed out. */
  readonly statuses: ReadonlyMap<string, number>;
  /** Descriptions of responses that are neither a success nor a temporary error. */
  readonly refusals: readonly string[];
  /** Starts or resumes sending. */
  send(): void;
  /** Stops sending. Resolves when all requests that were started are accepted. */
  pause(): Promise<void>;
}

export interface LoadOptions {
  readonly apiUrls: readonly string[];
  readonly key: string;
  readonly producer: EventProducer;
  readonly seed: number;
}

/**
 * Sends records to Kafka, and events, executions and exceptions over HTTP, between `send` and `pause`. Repeats a
 * request with the same Idempotency-Key at a random `api` process while the failure is temporary. Records a refused
 * request and does not repeat it, so that `pause` resolves.
 */
export function createLoad({ apiUrls, key, producer, seed }: LoadOptions): Load {
  const random = seededRandom(seed);
  const events = new Set<number>();
  const executions = new Map<number, string>();
  const exceptions = new Set<string>();
  const statuses = new Map<string, number>();
  const refusals: string[] = [];
  let records = 0;
  let isPaused = true;
  let sending: Promise<unknown> = Promise.resolve();

  /** Undefined if the request was refused. */
  const call = async <T>(
    what: string,
    target: string,
    body: string,
    idempotencyKey: string,
  ): Promise<T | undefined> => {
    while (true) {
      const { status, answer } = await request<T>(`${random.pick(apiUrls)}${target}`, body, { key, idempotencyKey });
      const counted = `${what} ${status}`;
      statuses.set(counted, (statuses.get(counted) ?? 0) + 1);
      if (status === 200 || status === 201) return answer as T;
      if (!isTemporary(status)) {
        refusals.push(`${what}: ${status} ${JSON.stringify(answer).slice(0, 300)}`);
        return undefined;
      }
      await pause(PAUSE_MS);
    }
  };

  const toKafka = async (n: number, each: SeededRandom): Promise<void> => {
    const batch = numberedRecords(each, n * RECORDS_AT_ONCE, RECORDS_AT_ONCE, 'kafka');
    await producer.send(TOPICS.events, batch);
    records += batch.length;
  };
  const overHttp = async (n: number, each: SeededRandom): Promise<void> => {
    const first = FIRST_HTTP_NUMBER + n * EVENTS_AT_ONCE;
    const batch = numberedRecords(each, first, EVENTS_AT_ONCE, 'http').filter(({ fate }) => fate === 'event');
    const body = `[${batch.map(({ value }) => value.toString()).join()}]`;
    const accepted = await call('events', '/api/events', body, `events-${n}`);
    if (accepted !== undefined) for (const { number } of batch) events.add(number);
  };
  const execute = async (n: number): Promise<void> => {
    const body = JSON.stringify({ input: { n } });
    const target = `/api/v1/workflows/${WAITER}/run`;
    const accepted = await call<{ executionId: string }>('executions', target, body, `run-${n}`);
    if (accepted !== undefined) executions.set(n, accepted.executionId);
  };
  const change = async (n: number): Promise<void> => {
    const body = JSON.stringify({ program: `program-${n}`, reason: 'change of the soak' });
    const accepted = await call<{ id: string }>('exceptions', '/api/exceptions', body, `exception-${n}`);
    if (accepted !== undefined) exceptions.add(accepted.id);
    await pause(CHANGE_PAUSE_MS);
  };
  const clients = [toKafka, overHttp, execute, change].map((sendOne, index) => {
    const each = seededRandom(seed + index + 1);
    let n = 0;
    return async () => {
      while (!isPaused) {
        await sendOne(n++, each);
        await pause(PAUSE_MS);
      }
    };
  });
  return {
    get records() {
      return records;
    },
    events,
    executions,
    exceptions,
    statuses,
    refusals,
    send() {
      isPaused = false;
      sending = Promise.all(clients.map((client) => client()));
      // `pause` reports the rejection.
      sending.catch(() => {});
    },
    async pause() {
      isPaused = true;
      await sending;
    },
  };
}

/** Returns true for a missing response, an unavailable store or a rate limit. */
function isTemporary(status: number): boolean {
  return status === 0 || status === 429 || status === 503;
}

async function request<T>(
  url: string,
  body: string,
  { key, idempotencyKey }: { readonly key: string; readonly idempotencyKey: string },
): Promise<{ status: number; answer?: T }> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });
    return { status: response.status, answer: (await response.json()) as T };
  } catch {
    return { status: 0 };
  }
}
