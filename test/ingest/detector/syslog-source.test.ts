import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { createLineReader } from '#ingest/detector/lines/line-reader.ts';
import { runDetector } from '#ingest/detector/run-detector.ts';
import type { OutgoingEvent } from '#ingest/detector/sinks/event-sink.ts';
import { type KernelSyslog, openKernelSyslog } from '#ingest/detector/sources/kernel-syslog.ts';
import type { SourceItem } from '#ingest/detector/sources/source.ts';
import { createRecordConverter, NoTimesError } from '#ingest/detector/sources/syslog-records.ts';
import { createSyslogSource } from '#ingest/detector/sources/syslog-source.ts';
import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { waitFor } from '#test/support/wait-for.ts';
import { BARE_OPTIONS } from './detector-options.ts';

/**
 * A kernel log ring that keeps the newest records within `size` and returns the newest whole records that fit into a
 * read.
 */
function ringOf(size: number): KernelSyslog & { print(text: string): void; clear(): void } {
  let records: string[] = [];
  let micros = 0;
  const fitting = (bytes: number): string => {
    let from = records.length;
    for (let sum = 0; from > 0; from--) {
      sum += Buffer.byteLength(records[from - 1] as string);
      if (sum > bytes) break;
    }
    return records.slice(from).join('');
  };
  return {
    size,
    print(text) {
      micros += 7;
      records.push(`<6>[    1.${String(micros).padStart(6, '0')}] ${text}\n`);
      while (Buffer.byteLength(records.join('')) > size) records.shift();
    },
    clear() {
      records = [];
    },
    readNewest: (into) => into.write(fitting(into.length)),
  };
}

/** Reads until `take` returns true. */
async function readUntil(ring: KernelSyslog, fromSeq: number, take: (item: SourceItem) => boolean): Promise<void> {
  const stop = new AbortController();
  for await (const item of createSyslogSource({ fromSeq, pollMs: 1, open: () => ring })(stop.signal)) {
    if (!stop.signal.aborted && take(item)) stop.abort();
  }
}

const textsOf = (item: SourceItem): string[] =>
  item.kind === 'lines' ? item.lines.map((line) => createLineReader(0).read(line)?.text ?? '') : [`(${item.kind})`];

test('reads each record once, regardless of the amount that is logged between two reads', async () => {
  const ring = ringOf(200_000);
  const printed: string[] = [];
  const print = (count: number): void => {
    for (let at = 0; at < count; at++) {
      const text = `line ${printed.length} ${'x'.repeat((printed.length * 37) % 900)}`;
      printed.push(text);
      ring.print(text);
    }
  };
  print(30);
  const seen: string[] = [];
  const amounts = [1, 0, 2, 40, 1, 200, 3];
  await readUntil(ring, 0, (item) => {
    if (item.kind === 'idle') return false;
    seen.push(...textsOf(item));
    if (seen.length < printed.length) return false;
    const next = amounts.shift();
    if (next === undefined) return true;
    print(next === 0 ? 1 : next);
    return false;
  });
  expect(seen).toEqual(printed);
});

test('reports an overrun when the last read record is overwritten, and when the log was cleared', async () => {
  const ring = ringOf(8_000);
  ring.print('first');
  const seen: string[] = [];
  const steps = [
    () => {
      for (let at = 0; at < 400; at++) ring.print(`flood ${at}`);
    },
    () => {
      ring.clear();
      ring.print('after the clearing');
    },
  ];
  await readUntil(ring, 0, (item) => {
    if (item.kind === 'idle') return false;
    seen.push(...textsOf(item));
    if (item.kind === 'overrun') return false;
    const step = steps.shift();
    step?.();
    return step === undefined;
  });
  expect(seen.filter((text) => !text.startsWith('flood'))).toEqual([
    'first',
    '(overrun)',
    '(overrun)',
    'after the clearing',
  ]);
  expect(seen.at(-3)).toBe('flood 399');
});

test('a restart continues after the given record, and reports a gap', async () => {
  const ring = ringOf(100_000);
  for (const text of ['one', 'two', 'three']) ring.print(text);
  const numbers = ['1.000007', '1.000014', '1.000021'].map((time) => {
    return createRecordConverter()(Buffer.from(`<6>[    ${time}] x`)).seq;
  });
  const from = async (fromSeq: number): Promise<string[]> => {
    const seen: string[] = [];
    await readUntil(ring, fromSeq, (item) => {
      seen.push(...textsOf(item));
      return seen.includes('three');
    });
    return seen;
  };
  expect(await from((numbers[1] as number) + 1)).toEqual(['three']);
  expect(await from(1)).toEqual(['(overrun)', 'one', 'two', 'three']);
});

test('a line becomes the record that /dev/kmsg has', () => {
  const convert = createRecordConverter();
  const record = (line: string | Buffer): string => convert(Buffer.from(line)).record;
  expect(record('<6>[   12.345678] plain')).toBe('6,197530848,12345678,-;plain');
  // A second record with the same microsecond, and a record of another processor with an earlier time.
  expect(record('<4>[   12.345678][  T123] caller')).toBe('4,197530849,12345678,-,caller=T123;caller');
  expect(record('<12>[   12.345000] earlier')).toBe('12,197530850,12345000,-;earlier');
  expect(record('<6>[   13.000000] tab\tback\\slash é')).toBe(
    '6,208000000,13000000,-;tab\\x09back\\x5cslash \\xc3\\xa9',
  );
  expect(() => record('<6>no time')).toThrow(NoTimesError);
});

test("the running kernel's log, where this machine permits it", async () => {
  const stopping = new AbortController();
  const taken: OutgoingEvent[] = [];
  const options = { ...BARE_OPTIONS, input: { kind: 'syslog' } } as const;
  const sink = { write: async (events: readonly OutgoingEvent[]) => void taken.push(...events), close: async () => {} };
  const deps = { log: () => {}, signal: stopping.signal, sink };
  try {
    openKernelSyslog();
  } catch (error) {
    await expect(runDetector(options, deps)).rejects.toThrow((error as Error).message);
    return;
  }
  const running = runDetector(options, deps);
  const name = `trapline_test_${randomUUID().slice(0, 8)}`;
  const written = await writeFile('/dev/kmsg', `<6>${name}: 3 callbacks suppressed\n`).then(
    () => true,
    () => false,
  );
  if (written) {
    const found = await waitFor('the written record', () =>
      taken.find(({ json }) => (JSON.parse(json) as EventV1).event.function_name === name),
    );
    expect(JSON.parse(found.json)).toMatchObject({ event: { type: 'LinuxSuppressedCallback', facility: 'User' } });
    expect(found.ingestId).toMatch(/^[0-9a-f-]{36}:time:\d+$/);
  }
  stopping.abort();
  expect((await running).reason).toBe('stopped');
});
