import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type DetectorDeps,
  type DetectorOptions,
  type DetectorSummary,
  runDetector,
} from '#ingest/detector/run-detector.ts';
import { type EventSink, type OutgoingEvent, SinkClosedError } from '#ingest/detector/sinks/event-sink.ts';
import type { KmsgDevice } from '#ingest/detector/sources/kmsg-source.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { BARE_OPTIONS } from './detector-options.ts';

const CAPTURES = new URL('../../fixtures/kmsg/', import.meta.url);
const BOOT_ID = 'proc/sys/kernel/random/boot_id';
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trapline-run-'));
  await mkdir(join(root, 'proc/sys/kernel/random'), { recursive: true });
  await writeFile(join(root, BOOT_ID), 'boot-one\n');
});
afterEach(() => rm(root, { recursive: true }));

const line = (seq: number): string => `4,${seq},${seq * 1000},-;f${seq}: 1 callbacks suppressed\n`;
const header = (seq: number): string =>
  `6,${seq},${seq * 1000},-;e: c${seq}: potentially unexpected fatal signal 11.\n`;

/** A log ring with `records`. Like the real one, it is read from the oldest record each time it is opened. */
function ring(records: string[]): () => KmsgDevice {
  return () => {
    let at = 0;
    return {
      read(into) {
        const record = records[at];
        if (record === undefined) throw Object.assign(new Error('EAGAIN'), { code: 'EAGAIN' });
        at++;
        return into.write(record);
      },
      close: () => {},
    };
  };
}

interface TestSink extends EventSink {
  taken: OutgoingEvent[];
  closed: boolean;
}
function sinkOf(fail?: (event: OutgoingEvent) => Error | undefined): TestSink {
  const sink: TestSink = {
    taken: [],
    closed: false,
    async write(events) {
      for (const event of events) {
        const error = fail?.(event);
        if (error) throw error;
        sink.taken.push(event);
      }
    },
    async close() {
      sink.closed = true;
    },
  };
  return sink;
}

const stateFile = (): string => join(root, 'state.json');
const state = async (): Promise<unknown> => JSON.parse(await readFile(stateFile(), 'utf8'));

function options(more: Partial<DetectorOptions> = {}): DetectorOptions {
  return { ...BARE_OPTIONS, hostname: 'h', stateFile: stateFile(), root, ...more };
}

/** Runs the detector until `until` returns true, then stops it. */
async function run(
  sink: TestSink,
  more: Partial<DetectorOptions>,
  deps: Partial<DetectorDeps>,
  until: () => boolean | Promise<boolean>,
): Promise<DetectorSummary> {
  const stopping = new AbortController();
  const running = runDetector(options(more), { sink, log: () => {}, signal: stopping.signal, ...deps });
  await waitFor('the detector', until);
  stopping.abort();
  return running;
}
const names = (sink: TestSink): unknown[] =>
  sink.taken.map(({ json }) => {
    const { event } = JSON.parse(json) as EventV1;
    return event.type === 'LinuxFatalSignal' ? event.stack_dump.Comm : (event.function_name ?? event.key);
  });

test('reads a file to its end', async () => {
  const sink = sinkOf();
  const path = new URL('probe-ip-default-sysctl.kmsg', CAPTURES).pathname;
  const summary = await runDetector(options({ input: { kind: 'file', path, follow: false } }), {
    sink,
    log: () => {},
    signal: new AbortController().signal,
  });
  expect(summary).toMatchObject({ lines: 38, events: 21, reason: 'end of input' });
  expect(sink.taken).toHaveLength(21);
  expect(sink.taken[0]).toMatchObject({ hostname: 'h', ingestId: null });
  expect(sink.closed).toBe(true);
});

test('reads a stream to its end', async () => {
  const sink = sinkOf();
  const stream = Readable.from([Buffer.from(`${line(1)}${line(2)}`)]);
  const summary = await runDetector(options({ input: { kind: 'stream', stream } }), {
    sink,
    log: () => {},
    signal: new AbortController().signal,
  });
  expect(summary).toMatchObject({ events: 2, reason: 'end of input' });
});

test('times since the start of the machine are reported once, unless the boot time is known', async () => {
  const warnings = async (bootTimeMs: number | null) => {
    const warned: string[] = [];
    const stream = Readable.from([Buffer.from(line(1)), Buffer.from(line(2))]);
    await runDetector(options({ input: { kind: 'stream', stream }, bootTimeMs }), {
      sink: sinkOf(),
      log: (_, __, message) => warned.push(message),
      signal: new AbortController().signal,
    });
    return warned.filter((message) => message.includes('--boot-time'));
  };
  expect(await warnings(null)).toHaveLength(1);
  expect(await warnings(5e11)).toEqual([]);
});

test('a restart continues where it stopped: no event twice, none missed, same times', async () => {
  const records = [line(1), line(2), header(3)];
  const first = sinkOf();
  await run(first, {}, { openDevice: ring(records), now: () => 5e11 }, () => first.taken.length === 3);
  records.push(line(4), line(5));
  const second = sinkOf();
  const summary = await run(
    second,
    {},
    { openDevice: ring(records), now: () => 6e11 },
    () => second.taken.length === 2,
  );
  expect(names(first)).toEqual(['f1', 'f2', 'c3']);
  expect(names(second)).toEqual(['f4', 'f5']);
  expect(second.taken.map(({ ingestId }) => ingestId)).toEqual(['boot-one:4', 'boot-one:5']);
  expect(summary).toMatchObject({ reason: 'stopped', overruns: 0, lostRecords: 0 });
  const times = [...first.taken, ...second.taken].map(({ json }) =>
    Date.parse((JSON.parse(json) as EventV1).timestamp),
  );
  expect((times[4] as number) - (times[0] as number)).toBe(4);
});

test('after a reboot it starts at the beginning of the log', async () => {
  const first = sinkOf();
  await run(first, {}, { openDevice: ring([line(7)]) }, () => first.taken.length === 1);
  await writeFile(join(root, BOOT_ID), 'boot-two\n');
  const second = sinkOf();
  await run(second, {}, { openDevice: ring([line(1)]) }, () => second.taken.length === 1);
  expect(second.taken[0]?.ingestId).toBe('boot-two:1');
});

test('records lost while no detector ran are counted and reported', async () => {
  const first = sinkOf();
  await run(first, {}, { openDevice: ring([line(7)]) }, () => first.taken.length === 1);
  const said: string[] = [];
  const second = sinkOf();
  const log: DetectorDeps['log'] = (_level, _fields, message) => said.push(message);
  const summary = await run(second, {}, { openDevice: ring([line(20)]), log }, () => second.taken.length === 1);
  expect(summary).toMatchObject({ overruns: 1, lostRecords: 12 });
  expect(said).toEqual(['the kernel log ran over: records were lost']);
});

test('a failing sink stops the run, and unacknowledged events are read again', async () => {
  const records = [line(1), line(2)];
  const sink = sinkOf(({ json }) => (json.includes('f3') ? new Error('broken') : undefined));
  const running = runDetector(options(), {
    sink,
    log: () => {},
    signal: new AbortController().signal,
    openDevice: ring(records),
  });
  const outcome = expect(running).rejects.toThrow('broken');
  await waitFor('the position to be saved', async () => ((await state()) as { nextSeq: number }).nextSeq === 3);
  records.push(line(3), line(4));
  await outcome;
  expect(sink.closed).toBe(true);
  expect(await state()).toMatchObject({ nextSeq: 3 });
  const next = sinkOf();
  await run(next, {}, { openDevice: ring(records) }, () => next.taken.length === 2);
  expect(names(next)).toEqual(['f3', 'f4']);
});

test('a closed standard output ends the run without an error', async () => {
  const sink = sinkOf(() => new SinkClosedError('gone'));
  const summary = await runDetector(options(), {
    sink,
    log: () => {},
    signal: new AbortController().signal,
    openDevice: ring([line(1)]),
  });
  expect(summary.reason).toBe('output closed');
});

test('an open dump keeps the position back until it is closed', async () => {
  const records = [line(1), header(2), line(3)];
  const sink = sinkOf();
  const seen: number[] = [];
  const gate = Promise.withResolvers<void>();
  const slow: TestSink = {
    ...sink,
    async write(events) {
      await sink.write(events);
      if (sink.taken.length === 1) await gate.promise;
    },
  };
  const running = run(slow, {}, { openDevice: ring(records) }, async () => {
    if (sink.taken.length === 1) gate.resolve();
    seen.push(
      await state().then(
        (saved) => (saved as { nextSeq: number }).nextSeq,
        () => 0,
      ),
    );
    return sink.taken.length === 3;
  });
  await running;
  expect(seen.every((position) => position === 0 || position === 2 || position === 4)).toBe(true);
  expect(names(sink)).toEqual(['f1', 'c2', 'f3']);
  expect(await state()).toMatchObject({ nextSeq: 4 });
});

test('settings are set on command and watched, and a change is an event', async () => {
  const path = join(root, 'proc/sys/kernel/print-fatal-signals');
  await writeFile(path, '0\n');
  const sink = sinkOf();
  const settings = { configure: true, intervalMs: 5 };
  await run(sink, { settings }, { openDevice: ring([]) }, async () => {
    if ((await readFile(path, 'utf8')).trim() === '1') {
      // Replaced atomically, as in the kernel: a reader never sees an empty file.
      await writeFile(`${path}.new`, '0\n');
      await rename(`${path}.new`, path);
    }
    return sink.taken.length === 1;
  });
  expect(JSON.parse(sink.taken[0]?.json as string)).toMatchObject({
    hostname: 'h',
    event: { type: 'ConfigMismatch', key: 'kernel.print-fatal-signals', expected_value: '1', observed_value: '0' },
  });
  expect(await state()).toMatchObject({ configured: { 'kernel.print-fatal-signals': '1' } });
});

test('the progress contains the age of waiting events, and the number of undeliverable ones', async () => {
  const kmsg = join(root, 'kmsg.log');
  await writeFile(kmsg, line(1));
  const nowMs = Date.parse('2026-03-01T12:00:00Z');
  let oldestMs: number | null = nowMs - 90_000;
  const sink = { ...sinkOf(), backlog: () => ({ oldestMs, refused: 3, dropped: 4 }) };
  const seen: unknown[] = [];
  await runDetector(
    { ...BARE_OPTIONS, input: { kind: 'file', path: kmsg, follow: false }, hostname: 'web-7', root },
    {
      sink,
      log: () => {},
      signal: new AbortController().signal,
      now: () => nowMs,
      observe(progress) {
        seen.push(progress());
        // The clock was set back.
        oldestMs = nowMs + 90_000;
        seen.push(progress());
        return () => {};
      },
    },
  );
  const rest = { hostname: 'web-7', refusedEvents: 3, droppedEvents: 4, lostRecords: 0, settings: {} };
  expect(seen).toEqual([
    { ...rest, lagMs: 90_000 },
    { ...rest, lagMs: 0 },
  ]);
});
