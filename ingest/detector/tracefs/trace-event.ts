import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { fatalSignalEvent, type Origin } from '../build-events.ts';
import { signalName } from '../messages/signal-names.ts';
import type { TraceCrash } from './trace-crash.ts';

/**
 * Builds the V1 event of a crash that is missing in the kernel log. Returns null for a signal without a name in the
 * format.
 */
export function traceEvent(crash: TraceCrash, origin: Pick<Origin, 'timestamp' | 'hostname'>): EventV1 | null {
  const name = signalName(crash.signal);
  if (name === null) return null;
  const dump: Record<string, string> = { PID: String(crash.pid) };
  if (crash.comm !== null) dump.Comm = crash.comm;
  const pointer = crash.stack[0];
  if (pointer !== undefined) dump[POINTER] = `0x${pointer.replace(/^0+(?=.)/, '')}`;
  return fatalSignalEvent({ ...origin, level: null, facility: null }, name, dump);
}

/** Name of the instruction pointer in kernel dumps of this architecture. */
const POINTER = process.arch === 'x64' || process.arch === 'ia32' ? 'RIP' : 'pc';

/**
 * Returns the fields that a trace adds to the event of the crash, which came from a line of the kernel log. Existing
 * fields of the event are kept.
 */
export function traceFields(crash: TraceCrash, event: EventV1['event']): Readonly<Record<string, unknown>> {
  const { file, vmastart, vmasize, ...more } = crash.mapping ?? {};
  const { file: ownFile } = event as { readonly file?: unknown };
  return {
    signal_code: crash.code,
    user_stack: crash.stack.map((frame) => `0x${frame.replace(/^0+(?=.)/, '')}`),
    ...(file !== undefined && typeof ownFile !== 'string' ? { file, vmastart, vmasize } : {}),
    ...more,
    ...(crash.process === null ? {} : { process: crash.process }),
  };
}
