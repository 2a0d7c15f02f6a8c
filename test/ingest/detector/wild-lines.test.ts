import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { eventColumns } from '#analytics/formats/event-columns.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';

/**
 * The expected reading of a public log entry, from the column `expected` of the fixture. Absent or null: the entry does
 * not state the field.
 */
interface Expectation {
  readonly kind: 'gp' | 'ill' | 'segv' | 'other' | 'signal' | 'supp' | 'cut' | 'lostcrash';
  /** Process name, instruction pointer, faulting address, file. */
  readonly p?: string | null;
  readonly ip?: string | null;
  readonly loc?: string | null;
  readonly f?: string | null;
  /** Name of the signal, or number of suppressed messages. */
  readonly n?: string;
  readonly fn?: string;
}

/**
 * Entries that are known to be read wrongly, with the reason. The test fails if a listed entry is read correctly or an
 * unlisted entry is read wrongly.
 */
const NOT_READ: Readonly<Record<string, string>> = {
  S24: 'escaped for HTML: a process may have such a name, so nothing is replaced',
};

/**
 * Messages of security patches and host systems that report a crash are events too. At least this share of the complete
 * fault entries must be read correctly.
 */
const REQUIRED_SHARE = 0.97;

const TRAPS: Readonly<Record<string, string>> = {
  gp: 'GeneralProtectionFault',
  ill: 'InvalidOpcode',
  segv: 'Segfault',
  other: 'Generic',
};
/** A truncated entry that cannot become an event. It must be counted. */
const isCounted = ({ kind }: Expectation): boolean => kind === 'cut';

/**
 * `more-wild-lines` were collected from other sources after the readers had been written, and then the readers were
 * corrected for them.
 */
const entries = ['wild-lines', 'more-wild-lines', 'third-wild-lines', 'fourth-wild-lines']
  .flatMap((name) =>
    readFileSync(new URL(`../../fixtures/wild-lines/${name}.tsv`, import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1),
  )
  .map((row) => {
    const [id = '', dialect = '', , , expected = '', text = ''] = row.split('\t');
    return {
      id,
      dialect,
      expected: JSON.parse(expected) as Expectation[],
      text: text.replaceAll('␤', '\n').replaceAll('␉', '\t'),
    };
  });

function read(text: string) {
  const parser = createKernelLogParser({ hostname: null, referenceMs: Date.UTC(2026, 0, 1) });
  const events = [...text.split('\n').flatMap((line) => parser.push(line)), ...parser.flush()];
  return { events: events.map(({ event }) => event.event), unread: parser.stats.unreadFaults };
}

/** Reduces the actual and the expected event to the fields that the entry states. */
function stated(expected: Expectation, event: EventType | undefined): object | undefined {
  if (expected.kind === 'lostcrash' && (event?.type === 'LinuxFatalSignal' || event?.type === 'LinuxKernelTrap')) {
    const { procname, ip } = eventColumns(event);
    return {
      kind: 'lostcrash',
      ...(expected.p == null ? {} : { p: procname }),
      ...(expected.ip == null ? {} : { ip: ip?.toString(16) }),
    };
  }
  if (event?.type === 'LinuxSuppressedCallback')
    return { kind: 'supp', n: String(event.count), fn: event.function_name };
  if (event?.type === 'LinuxFatalSignal') {
    const p = expected.p == null ? {} : { p: event.stack_dump.Comm };
    return { kind: 'signal', n: event.signal, ...p };
  }
  if (event?.type !== 'LinuxKernelTrap') return event;
  const { trap } = event;
  return {
    kind: Object.keys(TRAPS).find((kind) => TRAPS[kind] === trap.type),
    ...(expected.p == null ? {} : { p: event.procname }),
    ...(expected.ip == null ? {} : { ip: event.ip.toString(16) }),
    ...(expected.loc == null ? {} : { loc: trap.type === 'Segfault' ? trap.location.toString(16) : null }),
    ...(expected.f === undefined ? {} : { f: event.file }),
  };
}

function judge(text: string, expected: readonly Expectation[]): { got: unknown; want: unknown } {
  const { events, unread } = read(text);
  const known = expected.filter((one) => !isCounted(one));
  const want = known.map(({ p, ip, loc, ...others }) => ({
    ...others,
    ...(p == null ? {} : { p }),
    ...(ip == null ? {} : { ip }),
    ...(loc == null ? {} : { loc }),
  }));
  const got = Array.from({ length: Math.max(known.length, events.length) }, (_value, at) =>
    stated(known[at] ?? { kind: 'other' }, events[at] as EventType | undefined),
  );
  return {
    got: { events: got, unread },
    want: { events: want, unread: expected.length - known.length },
  };
}

test.each(entries.filter(({ id }) => !(id in NOT_READ)))('$id ($dialect) is read right', ({ text, expected }) => {
  const { got, want } = judge(text, expected);
  expect(got).toEqual(want);
});

test('the list of misread entries names only misread entries', () => {
  const wrong = entries.filter(({ text, expected }) => {
    const { got, want } = judge(text, expected);
    return JSON.stringify(sorted(got)) !== JSON.stringify(sorted(want));
  });
  expect(wrong.map(({ id }) => id).sort()).toEqual(Object.keys(NOT_READ).sort());
  expect(1 - wrong.length / entries.length).toBeGreaterThanOrEqual(REQUIRED_SHARE);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
