import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryFolder } from '../support/services/temporary-folder.ts';
import type { BenchContext } from './context.ts';
import { createFeed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import { runIngest } from './ingest-run.ts';
import { type BenchRow, boundRow } from './row.ts';

const PARTITIONS = 4;
const SHOWN = 45;

interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

/**
 * Profiles the threads of `ingest` under full load. Reports microseconds an event by file and function, with start-up
 * and shutdown included.
 */
export async function benchProfile(context: BenchContext): Promise<BenchRow[]> {
  const feed = await createFeed(context.kafka.brokers, PARTITIONS);
  try {
    await feed.fill(0, context.events, fleetRecord);
    return await temporaryFolder('profile', async (directory) => {
      const run = await runIngest(context, feed, 1, { nodeArgs: ['--cpu-prof', `--cpu-prof-dir=${directory}`] });
      const details: string[] = [];
      for (const file of (await readdir(directory)).sort()) {
        const profile = JSON.parse(await readFile(path.join(directory, file), 'utf8')) as CpuProfile;
        const lines = (places: ReadonlyMap<string, number>) =>
          [...places]
            .sort((a, b) => b[1] - a[1])
            .slice(0, SHOWN)
            .map(([place, micros]) => `${(micros / context.events).toFixed(3).padStart(8)}  ${place}`);
        details.push(`thread ${threadOf(file)}, µs an event by file:`, ...lines(selfTimes(profile, fileOf)));
        details.push('by function:', ...lines(selfTimes(profile, functionOf)));
      }
      return [{ ...boundRow('profile: ingest, sampled', 'events/s', run.eventsPerSecond, null), details }];
    });
  } finally {
    await feed.close();
  }
}

/**
 * Returns the thread id from a file name. Node names the files `CPU.day.time.process.thread.sequence.cpuprofile`. The
 * main thread is 0.
 */
function threadOf(file: string): string {
  return file.split('.')[4] ?? '';
}

type Frame = CpuProfile['nodes'][number]['callFrame'];

function selfTimes({ nodes, samples, timeDeltas }: CpuProfile, placeOf: (frame: Frame) => string): Map<string, number> {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
  const times = new Map<string, number>();
  for (const [index, id] of samples.entries()) {
    const place = places.get(id) ?? '';
    times.set(place, (times.get(place) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}

/**
 * Returns the place of a frame: the file for our own code, the name for a package, and for frames without a file their
 * own name, such as `(garbage collector)`, `(idle)` or `(program)`.
 */
function fileOf({ url, functionName }: Frame): string {
  if (url === '') return functionName === '' || functionName.startsWith('(') ? functionName || '(native)' : '(native)';
  return shortened(url);
}

function functionOf(frame: Frame): string {
  return frame.url === ''
    ? frame.functionName
    : `${frame.functionName || '(anonymous)'} ${shortened(frame.url)}:${frame.lineNumber + 1}`;
}

function shortened(url: string): string {
  const root = new URL('../../', import.meta.url).href;
  return url.replace(root, '').replace(`file://${new URL(root).pathname}`, '');
}
