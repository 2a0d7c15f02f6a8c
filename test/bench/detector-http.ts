import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { MAIN } from '../support/trapline-process.ts';
import { type ApiProcess, withApiProcess } from './api-process.ts';
import { FOLLOWER_OPTIONS, PROGRAM_ENV } from './as-program.ts';
import type { BenchContext } from './context.ts';
import { landedEvents, withFreshDatabase } from './fresh-database.ts';
import { type BenchRow, boundRow, ratioRow } from './row.ts';
import { percentile } from './statistics.ts';

const PROMISED_EVENTS = 5_000;
const SECONDS = 10;
const TICK_MS = 20;
/** The input is faster than the goal, so that the detector is the limit and not the clock. */
const OFFERED_EVENTS = 8_000;
const SLOW_EVENTS = 80;
const SLOW_PAUSE_MS = 250;
const POSTS = 40;
const WARM_UP_POSTS = 5;
const ALLOWED_POST_MS = 150;

/**
 * Measures `trapline detect --to http` with one `trapline api` without Kafka: the sustained rate from the first line to
 * its end, events missing after the end, under a flood and at four events per second, and the duration of a POST of one
 * event while the lane is idle.
 */
export async function benchDetectorHttp({ clickHouse, progress }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, (clickhouse) =>
    withApiProcess(clickHouse, clickhouse.database, async (api) => {
      const posts = await idlePosts(api);
      const before = await landedEvents(clickhouse);
      progress('detector-http: a flood');
      const flood = await detectInto(api, writeFlood);
      const afterFlood = await settledCount(clickhouse, before + flood.written);
      progress('detector-http: four events a second');
      const slow = await detectInto(api, writeSlowly);
      const afterSlow = await settledCount(clickhouse, afterFlood + slow.written);
      const lost = before + flood.written + slow.written - afterSlow;
      if (lost !== 0) throw new Error(`${lost} of ${flood.written + slow.written} events did not land`);
      return [
        ratioRow('detector over HTTP: flood', 'events/s', flood.written / flood.seconds, PROMISED_EVENTS, 1),
        {
          ...boundRow('detector over HTTP: POST of one event, p95', 'ms', percentile(posts, 0.95), ALLOWED_POST_MS),
          details: [`median ${percentile(posts, 0.5).toFixed(0)} ms, longest ${Math.max(...posts).toFixed(0)} ms`],
        },
        boundRow('detector over HTTP: end after the last of 80 events', 's', slow.endSeconds, 5),
      ];
    }),
  );
}

/** Milliseconds of single POSTs with pauses between them. */
async function idlePosts({ url, headers }: ApiProcess): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < WARM_UP_POSTS + POSTS; at++) {
    const body = JSON.stringify({
      version: 'V1',
      timestamp: new Date().toISOString(),
      hostname: 'bench',
      event: { type: 'ConfigMismatch', key: 'vm.swappiness', expected_value: '60', observed_value: String(at) },
    });
    const started = performance.now();
    const answer = await fetch(`${url}/api/events`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    if (answer.status !== 200) throw new Error(`POST /api/events: ${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
    if (at >= WARM_UP_POSTS) times.push(performance.now() - started);
    await pause(300);
  }
  return times;
}

interface Run {
  readonly written: number;
  /** From the first line to the end of the process. */
  readonly seconds: number;
  /** From the end of the input to the end of the process. */
  readonly endSeconds: number;
}

async function detectInto(api: ApiProcess, write: (input: Writable) => Promise<number>): Promise<Run> {
  const args = ['detect', '--from', '-', '--hostname', 'bench', '--boot-time', '2026-03-01T00:00:00Z', '--to', api.url];
  const env = { ...process.env, ...PROGRAM_ENV, TRAPLINE_API_KEY: api.headers['x-api-key'] ?? '' };
  const detector = spawn(process.execPath, [...FOLLOWER_OPTIONS, MAIN, ...args], {
    env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const exited = once(detector, 'exit');
  const started = performance.now();
  const written = await write(detector.stdin);
  const finished = performance.now();
  detector.stdin.end();
  const [code] = await exited;
  if (code !== 0) throw new Error(`the detector ended with code ${code}`);
  const ended = performance.now();
  return { written, seconds: (ended - started) / 1000, endSeconds: (ended - finished) / 1000 };
}

async function writeFlood(input: Writable): Promise<number> {
  const perTick = (OFFERED_EVENTS * TICK_MS) / 1000;
  const total = OFFERED_EVENTS * SECONDS;
  const begun = performance.now();
  for (let written = 0; written < total; written += perTick) {
    const lines = Array.from({ length: perTick }, (_value, at) => segfault(written + at));
    if (!input.write(lines.join(''))) await once(input, 'drain');
    const early = begun + (written / OFFERED_EVENTS) * 1000 - performance.now();
    if (early > 0) await pause(early);
  }
  return total;
}

async function writeSlowly(input: Writable): Promise<number> {
  for (let at = 0; at < SLOW_EVENTS; at++) {
    input.write(segfault(at));
    await pause(SLOW_PAUSE_MS);
  }
  return SLOW_EVENTS;
}

function segfault(sequence: number): string {
  const ip = (0x7fd7_0f40_0000 + (sequence % 3) * 4096).toString(16);
  const program = `service${sequence % 199}`;
  return (
    `6,${sequence + 1},${(sequence + 1) * 1000},-;${program}[${1000 + sequence}]: segfault at ${ip} ip 0000${ip} ` +
    `sp 00007ffd73440c98 error 4 in ${program}[7fd70f400000+178000]\n`
  );
}

/** A POST with a response has landed, so a lower count that stays for a moment is final. */
async function settledCount(clickhouse: ClickHouse, expected: number): Promise<number> {
  for (let attempt = 0; attempt < 20; attempt++) {
    const landed = await landedEvents(clickhouse);
    if (landed >= expected) return landed;
    await pause(100);
  }
  return landedEvents(clickhouse);
}
