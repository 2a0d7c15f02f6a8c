import { createHash } from 'node:crypto';
import { createClickHouse } from '#analytics/clickhouse/client.ts';
import { createLandingStore } from '#analytics/clickhouse/landing-store.ts';
import type { Detection } from '#schemas/detection.ts';
import { waitFor } from '../support/wait-for.ts';
import { type ApiProcess, withApiProcess } from './api-process.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';

const DETECTIONS = 300;
/**
 * Interval of detections in milliseconds. It is not a multiple of the stream's poll interval, so all phases of the
 * interval occur.
 */
const EVERY_MS = 97;
const READERS = 20;

/**
 * Measures the time from the insert of a detection until a client of the stream receives it, with several concurrent
 * readers. The slowest reader counts.
 */
export async function benchStream({ clickHouse }: BenchContext): Promise<BenchRow[]> {
  return withFreshDatabase(clickHouse, ({ database }) =>
    withApiProcess(clickHouse, database, async (api) => {
      const clickhouse = createClickHouse({ ...clickHouse, database });
      const store = createLandingStore({ clickhouse });
      const heard = await Promise.all(Array.from({ length: READERS }, () => follow(api)));
      try {
        const landed = new Map<string, number>();
        for (let i = 0; i < DETECTIONS; i += 1) {
          const detection = numbered(i);
          landed.set(detection.id, performance.now());
          await store.landDetections([detection]);
          await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
        }
        await waitFor('all of them', () => heard.every(({ at }) => at.size === DETECTIONS), { timeoutMs: 30_000 });
        const took = [...landed].map(([id, begun]) => Math.max(...heard.map(({ at }) => at.get(id) as number)) - begun);
        const details = [
          `median ${median(took).toFixed(0)} ms, slowest ${Math.max(...took).toFixed(0)} ms; ${READERS} readers`,
        ];
        return [
          { ...boundRow('stream: detection landing to browser', 'ms p99', percentile(took, 0.99), 1_000), details },
        ];
      } finally {
        for (const { leave } of heard) leave();
        await clickhouse.close();
      }
    }),
  );
}

interface Heard {
  /** Arrival time of each detection, by id. */
  readonly at: ReadonlyMap<string, number>;
  leave(): void;
}

/** Resolves when the stream has sent its position: no detection after it is missed. */
async function follow({ url, headers }: ApiProcess): Promise<Heard> {
  const leaving = new AbortController();
  const answer = await fetch(`${url}/api/detections/stream`, { headers, signal: leaving.signal });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the stream was answered with ${answer.status}`);
  const at = new Map<string, number>();
  const begun = Promise.withResolvers<void>();
  const read = async (body: AsyncIterable<Uint8Array>) => {
    const decoder = new TextDecoder();
    let held = '';
    for await (const chunk of body) {
      held += decoder.decode(chunk, { stream: true });
      for (let end = held.indexOf('\n\n'); end >= 0; end = held.indexOf('\n\n')) {
        const event = held.slice(0, end);
        held = held.slice(end + 2);
        if (event.includes('id: ')) begun.resolve();
        const id = /^data: \{"id":"(det_[0-9a-f]+)"/m.exec(event)?.[1];
        if (id !== undefined && !at.has(id)) at.set(id, performance.now());
      }
    }
  };
  read(answer.body).catch(begun.reject);
  await begun.promise;
  return { at, leave: () => leaving.abort() };
}

function numbered(i: number): Detection {
  const time = new Date().toISOString().replace('Z', '000000Z');
  return {
    id: `det_${createHash('md5').update(String(i)).digest('hex')}`,
    revision: 1,
    rule: { id: 'instruction-pointer-probe', version: 1, name: 'Instruction pointer probe' },
    severity: 'high',
    hostname: `edge-${i % 50}`,
    hosts: [],
    hostsTotal: 0,
    risk: null,
    procname: 'nginx',
    file: 'nginx',
    register: 'ip',
    executable: null,
    buildId: null,
    uid: null,
    parent: null,
    unit: null,
    container: null,
    pod: null,
    firstSeen: time,
    lastSeen: time,
    crashes: 20,
    suppressedAtLeast: 0,
    message: `The instruction pointer of nginx on edge-${i % 50} moves systematically`,
    values: Array.from({ length: 20 }, (_, n) => `0x${(0x7fd7_0f40_1eec + i * 4096 + n).toString(16)}`),
    valuesTotal: 20,
    attack: [{ tactic: 'Credential Access', technique: 'T1212', name: 'Exploitation for Credential Access' }],
    evidenceCount: 20,
    status: 'new',
    verdict: null,
    assignee: null,
    note: null,
    exception: null,
    event: null,
  };
}
