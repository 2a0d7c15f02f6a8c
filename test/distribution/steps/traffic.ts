import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Server } from '#test/compose-check/check-project.ts';
import { waitFor } from '#test/support/wait-for.ts';

const INTERVAL_MS = 100;
/**
 * Of each `CYCLE` requests, one sends an event, one reads detections, and the others read the health of the process.
 */
const CYCLE = 4;
const REQUEST_TIMEOUT_MS = 60_000;
/** Time for which a sender repeats an event while a store is unavailable, as the detector does. */
const REPEAT_FOR_MS = 120_000;
const REPEAT_AFTER_MS = 1_000;

export interface Traffic {
  /**
   * Stops the traffic and waits for all responses and for the accepted events. Resolves to the figures. Throws when a
   * request was refused, or an event is missing or duplicated.
   */
  stop(): Promise<string>;
}

/**
 * Sends requests until it is stopped, each on a separate connection. A request counts as refused when it gets no
 * response, or an error other than the 503 of an unavailable store. Such a 503 is counted, and the event is sent again
 * with the same key.
 */
export function startTraffic(server: Server): Traffic {
  const host = `traffic-${randomBytes(4).toString('hex')}`;
  const refused: string[] = [];
  const accepted: number[] = [];
  const requests: Promise<void>[] = [];
  const ending = new AbortController();
  let unavailable = 0;
  const send = async (number: number) => {
    const until = Date.now() + REPEAT_FOR_MS;
    for (;;) {
      const response = await requestOf(server, host, number);
      const text = await response.text();
      if (response.ok) {
        if (isEvent(number)) accepted.push(number);
        return;
      }
      if (response.status !== 503 || !text.includes('unavailable') || Date.now() > until)
        throw new Error(`${response.status} ${text}`);
      unavailable += 1;
      if (!isEvent(number)) return;
      await delay(REPEAT_AFTER_MS);
    }
  };
  const sending = (async () => {
    while (!ending.signal.aborted) {
      const number = requests.length;
      requests.push(send(number).catch((error: Error) => void refused.push(`${number}: ${reasonOf(error)}`)));
      await delay(INTERVAL_MS);
    }
  })();
  return {
    async stop() {
      ending.abort();
      await sending;
      await Promise.all(requests);
      if (refused.length > 0)
        throw new Error(
          `${refused.length} of ${requests.length} requests were refused: ${refused.slice(0, 5).join('; ')}`,
        );
      const stored = await storedNumbers(server, host, accepted.length);
      const distinct = new Set(stored);
      if (stored.length !== distinct.size || accepted.some((number) => !distinct.has(number)))
        throw new Error(
          `${accepted.length} events were accepted, ${stored.length} are stored, ${distinct.size} of them distinct`,
        );
      return `${requests.length} requests, 0 refused, ${unavailable} times 503 of a store; ${accepted.length} events accepted, each stored once`;
    },
  };
}

function isEvent(number: number): boolean {
  return number % CYCLE === 0;
}

function requestOf({ url, key }: Server, host: string, number: number): Promise<Response> {
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers = { 'x-api-key': key, connection: 'close' };
  if (!isEvent(number))
    return fetch(`${url}${number % CYCLE === 1 ? '/api/detections?limit=1' : '/healthz'}`, { headers, signal });
  const event = {
    type: 'LinuxSuppressedCallback',
    facility: 'Kern',
    level: 'Info',
    function_name: 'show_signal_msg',
    count: 1,
  };
  const body = JSON.stringify({
    version: 'V1',
    n: number,
    timestamp: new Date().toISOString(),
    hostname: host,
    event,
  });
  return fetch(`${url}/api/events`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-ndjson', 'idempotency-key': `${host}-${number}` },
    body: `${body}\n`,
    signal,
  });
}

/** Returns the numbers of the stored events when there are at least `count`. */
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

/** Returns the value of the unknown field `n`, which the format keeps at the top level or in `event`. */
function numberOf(record: { readonly n?: number; readonly event?: { readonly n?: number } }): number {
  return record.n ?? record.event?.n ?? Number.NaN;
}

function reasonOf(error: Error): string {
  return (error.cause as { readonly code?: string } | undefined)?.code ?? error.message;
}
