import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Detection } from '#schemas/detection.ts';
import type { Instant } from '#schemas/events/accepted.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { eventColumns } from '../../formats/event-columns.ts';
import type { DetectionException } from '../exception.ts';
import { createUserRules, type UserRuleEngine } from '../user-rules/engine.ts';
import type { JudgedEvent } from '../user-rules/event-fields.ts';

/** Start parameters of the worker thread. */
export interface UserRuleTask {
  readonly source: string;
  readonly exceptions: readonly DetectionException[];
  /** Columns of a row after lane, seconds and nanoseconds. Undefined if the row holds the whole event. */
  readonly columns: readonly string[] | undefined;
}

/** Rows as read from ClickHouse. Null marks the end of the input. */
export type UserRulePortion = Uint8Array | null;

/** Reply to each portion: null, or the result as the reply to the last one. */
export type UserRuleAnswer = readonly Detection[] | null;

// On Linux, a priority belongs to a thread, and 0 is the calling thread. On a busy machine, threads that answer
// requests then run first.
if (process.platform === 'linux') setPriority(0, 10);

const { source, exceptions, columns } = workerData as UserRuleTask;
const NUMBERS: ReadonlySet<string> = new Set(['pid', 'ip', 'sp', 'vmastart', 'vmasize', 'location', 'count']);
const { key: _, ...EMPTY } = eventColumns({ type: 'ConfigMismatch', key: '', expected_value: '', observed_value: '' });
const NO_COLUMNS = { ...EMPTY, key: null, expected_value: null, observed_value: null };
/** Index of the first column of a row, after lane, seconds and nanoseconds. */
const CONTENT = 3;
const found = new Map<string, Detection>();
const decoder = new TextDecoder();
let rest = '';
let lane: string | undefined;
let engine: UserRuleEngine | undefined;

parentPort?.on('message', (portion: UserRulePortion) => {
  const text = rest + (portion === null ? decoder.decode() : decoder.decode(portion, { stream: true }));
  // JSON rows contain no line feed, so one JSON.parse call can parse all rows of a portion.
  const end = text.lastIndexOf('\n');
  rest = text.slice(end + 1);
  if (end > 0) for (const row of JSON.parse(`[${text.slice(0, end).replaceAll('\n', ',')}]`) as unknown[][]) judge(row);
  collect();
  parentPort?.postMessage(portion === null ? [...found.values()] : null);
});

function judge(row: readonly unknown[]): void {
  const [rowLane, seconds, nanos] = row;
  if (rowLane !== lane) {
    collect();
    lane = rowLane as string;
    // Each lane has its own engine, as in the pipeline.
    engine = createUserRules({ userRules: [{ source, version: 1 }], exceptions: [...exceptions] });
  }
  const whole = row[CONTENT + (columns?.length ?? 0)];
  if (typeof whole === 'string' && whole !== '') {
    const accepted = readEvent(whole, { signalDialect: 'short' });
    if (accepted.ok) engine?.feed(accepted);
    return;
  }
  if (columns !== undefined) engine?.judge(eventOf(columns, row), instantOf(seconds, nanos));
}

function eventOf(names: readonly string[], row: readonly unknown[]): JudgedEvent {
  const fields: Record<string, unknown> = { ...NO_COLUMNS };
  for (let i = 0; i < names.length; i += 1) {
    const name = names[i] as string;
    const value = row[CONTENT + i];
    fields[name] = typeof value === 'string' && NUMBERS.has(name) ? exactNumber(value) : value;
  }
  return {
    hostname: fields.hostname as string | null,
    columns: fields as unknown as JudgedEvent['columns'],
    body: undefined,
  };
}

function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

function instantOf(seconds: unknown, nanos: unknown): Instant {
  return { seconds: Number(seconds), nanos: Number(nanos) };
}

function collect(): void {
  for (const detection of engine?.drain().changed ?? []) found.set(detection.id, detection);
}
