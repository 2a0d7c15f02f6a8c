import type { EventV1 } from '#schemas/events/versions/v1.ts';
import { fatalSignalEvent, type Origin } from '../build-events.ts';
import { signalName } from '../messages/signal-names.ts';
import type { Witness } from './witness.ts';

/**
 * Builds the V1 event of a witness: a fatal signal with the additional field `witness`. Returns null for a signal
 * without a name in the format.
 */
export function witnessEvent({ kind, signal, pid, comm, registers, process }: Witness, origin: Origin): EventV1 | null {
  const name = signalName(signal);
  if (name === null) return null;
  const made = fatalSignalEvent(origin, name, { PID: String(pid), Comm: comm, ...registers });
  const event = { ...made.event, witness: kind, ...(process === undefined ? {} : { process }) };
  return { ...made, event: event as EventV1['event'] };
}
