import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '#test/compose-check/check-project.ts';
import { waitFor } from '#test/support/wait-for.ts';

const INTERVAL_MS = 40;
/** Every so many requests one sends an event. */
const EVENT_SHARE = 4;
const REQUEST_TIMEOUT_MS = 30_000;

export interface Traffic {
  /** Ends the traffic, waits for all responses, and for the events that were accepted. Throws when a request failed, or an event is missing or doubled. */
  stop(): Promise<string>;
}

/** Sends requests without a pause, each on a connection of its own: reads of health and detections, and events with a number each. */
export function startTraffic(server: Server): Traffic {
  const host = `traffic-${randomBytes(4).toString('hex')}`;
  const failures: string[] = [];
  const accepted: number[] = [];
  const requests: Promise<void>[] = [];
  const ending = new AbortController();
  const send = async (number: number) => {
    const { ok, status } = await requestOf(server, host, number);
    if (!ok) failures.push(`${number}: ${status}`);
    else if (number % EVENT_SHARE === 0) accepted.push(number);
  };
  const sending = (async () => {
    while (!ending.signal.aborted) {
      const number = requests.length;
      requests.push(send(number).catch((error: Error) => void failures.push(`${number}: ${reasonOf(error)}`)));
      await delay(INTERVAL_MS);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await sending;
      await Promise.all(requests);
      if (failures.length > 0)
        throw new Error(`${failures.length} of ${requests.length} requests failed: ${failures.slice(0, 5).join('; ')}`);
      const stored = await storedNumbers(server, host, accepted.length);
      const distinct = new Set(stored);
      if (stored.length !== distinct.size || accepted.some((number) => !distinct.has(number)))
        throw new Error(
          `${accepted.length} events were accepted, ${stored.length} are stored, ${distinct.size} of them distinct`,
        );
      return `${requests.length} requests, 0 refused; ${accepted.length} events accepted and stored once`;
    },
  };
}

function requestOf({ url, key }: Server, host: string, number: number): Promise<Response> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers = { 'x-api-key': key, connection: 'close' };
  if (number % EVENT_SHARE !== 0)
    return fetch(`${url}${number % 2 === 0 ? '/healthz' : '/api/detections?limit=1'}`, { headers, signal });
  const event = {
    type: 'LinuxSuppressedCallback',
    facility: 'Kern',
    level: 'Info',
    function_name: 'show_signal_msg',
    count: 1,
  };
  const body = JSON.stringify({ version: 'V1', n: number, timestamp: new Date().toISOString(), hostname: host, event });
  return fetch(`${url}/api/events`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson' },
    body: `${body}\n`,
    signal,
  });
}

/** Numbers of the stored events, as soon as there are `count`. */
async function storedNumbers({ url, key }: Server, host: string, count: number): Promise<number[]> {
  const read = async () => {
    const response = await fetch(`${url}/api/events?format=ndjson&hostname=${host}`, { headers: { 'x-api-key': key } });
    const lines = (await response.text()).split('\n').filter((line) => line !== '');
    return lines.map((line) => numberOf(JSON.parse(line)));
  };
  await waitFor('the accepted events', async () => (await read()).length >= count, {
    timeoutMs: 120_000,
    everyMs: 500,
  });
  return read();
}

/** The unknown field of an event, wherever the format puts it. */
function numberOf(record: { readonly n?: number; readonly event?: { readonly n?: number } }): number {
  return record.n ?? record.event?.n ?? Number.NaN;
}

function reasonOf(error: Error): string {
  return (error.cause as { readonly code?: string } | undefined)?.code ?? error.name;
}
