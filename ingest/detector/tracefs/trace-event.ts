import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { fatalSignalEvent, type Origin } from '../build-events.ts';
import { signalName } from '../messages/signal-names.ts';
import type { TraceCrash } from './trace-crash.ts';

/** The V1 event of a crash that the kernel log does not show. Null for a signal without a name in the format. */
export function traceEvent(crash: TraceCrash, origin: Pick<Origin, 'timestamp' | 'hostname'>): EventV1 | null {
  const name = signalName(crash.signal);
  if (name === null) return null;
  const dump: Record<string, string> = { PID: String(crash.pid) };
  if (crash.comm !== null) dump.Comm = crash.comm;
  const pointer = crash.stack[0];
  if (pointer !== undefined) dump[POINTER] = `0x${pointer.replace(/^0+(?=.)/, '')}`;
  return fatalSignalEvent({ ...origin, level: null, facility: null }, name, dump);
}

/** The name by which the kernel's dumps call the instruction pointer on this architecture. */
const POINTER = process.arch === 'x64' || process.arch === 'ia32' ? 'RIP' : 'pc';

/** What a trace adds to the event of the crash, whichever line of the kernel log reported it. What the event says itself stands. */
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
