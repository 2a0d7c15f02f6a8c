import { isRecord } from '../../parts/run-form/json.ts';
import { AGENT_RUNS_TEXT } from './runs-text.ts';

const TEXT = AGENT_RUNS_TEXT.trace;

/** A line of `trace.jsonl`. */
export interface TraceEntry {
  readonly key: string;
  /** Milliseconds since the first entry. */
  readonly afterMs: number;
  readonly type: string;
  /** Summary of the event. */
  readonly title: string;
  /** Duration, if known. */
  readonly tookMs: number | undefined;
  readonly failed: boolean;
  readonly fields: { readonly [name: string]: unknown };
}

/**
 * Parses the lines of a trace. A line that is not JSON is shown as text, because traces are also needed after failures.
 */
export function traceEntries(text: string): TraceEntry[] {
  const lines = text.split('\n').filter((line) => line !== '');
  const read = lines.map((line) => {
    try {
      const value: unknown = JSON.parse(line);
      if (isRecord(value)) return value;
    } catch {
      // The line is shown as text.
    }
    return { type: 'line', text: line };
  });
  const first = read.map(timeOf).find((time) => time !== undefined) ?? 0;
  return read.map((entry, index) => {
    const { at: _at, type, ms, ...fields } = entry as { readonly [name: string]: unknown };
    const kind = typeof type === 'string' ? type : 'line';
    return {
      key: `${index}`,
      afterMs: Math.max(0, (timeOf(entry) ?? first) - first),
      type: kind,
      title: titleOf(kind, fields),
      tookMs: typeof ms === 'number' ? ms : undefined,
      failed: fields.error !== undefined || fields.level === 'error' || fields.status === 'failed',
      fields,
    };
  });
}

function timeOf(entry: { readonly [name: string]: unknown }): number | undefined {
  const time = typeof entry.at === 'string' ? Date.parse(entry.at) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function titleOf(
  type: string,
  { agent, version, tool, text, level, status, finishReason }: TraceEntry['fields'],
): string {
  switch (type) {
    case 'started':
      return TEXT.started(String(agent), String(version));
    case 'tool':
      return String(tool);
    case 'log':
      return TEXT.log(String(level), String(text));
    case 'model':
      return TEXT.model(String(finishReason));
    case 'ended':
      return String(status);
    case 'trace-full':
      return TEXT.full;
    default:
      return typeof text === 'string' ? text : type;
  }
}
