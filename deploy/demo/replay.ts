import { readFile } from 'node:fs/promises';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { SubmitEvents } from '#ingest/http/submission.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { LOCAL_TOPICS } from '#schemas/topics.ts';

/** Host name of the replayed attack, which no real host should have. */
export const DEMO_HOST = 'demo';
/** Topic of its records, by which they are found and removed. */
export const DEMO_TOPIC = LOCAL_TOPICS.demo;

/**
 * A forking server under attack on Linux 6.18. Its return address is overwritten 150 times, two more bytes each time.
 */
const CAPTURE = new URL('./attack.kmsg', import.meta.url);

/**
 * Sends the bundled capture through the pipeline with shifted times: its last record is at `nowMs`. Resolves to the
 * number of events when they have landed.
 */
export async function replayDemo(submit: SubmitEvents, nowMs: number): Promise<number> {
  const text = await readFile(CAPTURE, 'utf8');
  const bootTimeMs = Math.floor(nowMs - lastMicroseconds(text) / 1000);
  const events = detectEventsFromText(text, { hostname: DEMO_HOST, bootTimeMs });
  const items = events.map((event, index) => ({ index, text: Buffer.from(stringifyExact(event)) }));
  const answer = await submit({ items });
  if (typeof answer === 'string') throw new Error(`the events of the demo were not stored: ${answer}`);
  return answer.accepted;
}

/** Returns the time since boot of the capture's last record: the third field of a /dev/kmsg record. */
function lastMicroseconds(text: string): number {
  const last = text
    .trimEnd()
    .split('\n')
    .findLast((line) => /^\d+,\d+,\d+,/.test(line));
  return Number(last?.split(',')[2] ?? 0);
}
