import { parseTraceContext, TRACE_HEADERS, type TraceContext } from '#schemas/tracing/trace-context.ts';
import type { KafkaRecord } from '../kafka/port.ts';

/** A record with a recorded trace. */
export interface RecordTrace {
  readonly context: TraceContext;
  /** Key of the record, which is its host; null if unknown. */
  readonly host: string | null;
}

/** Maximum number of traces per chunk; a batch uses no more. */
const MAX_TRACES = 16;
/** Length of a `traceparent` of version 00. Its last digit holds the sampled flag. */
const PARENT_LENGTH = 55;

/** Returns the recorded traces of some records, or undefined without any, which is the usual case. */
export function tracesOf(records: readonly KafkaRecord[], from: number, to: number): RecordTrace[] | undefined {
  let found: RecordTrace[] | undefined;
  for (let at = from; at < to; at++) {
    const record = records[at] as KafkaRecord;
    const given = record.headers[TRACE_HEADERS.parent];
    if (given === undefined || given.length !== PARENT_LENGTH) continue;
    const context = parseTraceContext(given.toString(), record.headers[TRACE_HEADERS.state]?.toString());
    if (context === undefined || !context.sampled) continue;
    found ??= [];
    found.push({ context, host: record.key === null ? null : record.key.toString('utf8') });
    if (found.length === MAX_TRACES) break;
  }
  return found;
}
