import type { ShownProcess } from '../../parts/process-facts.tsx';
import type { EventRecord } from './event-columns.tsx';

type Members = Readonly<Record<string, unknown>>;

/** Returns the process facts in the event's field `process`, an addition that no schema validates. */
export function processOf({ event: { event } }: EventRecord): ShownProcess {
  const process = membersOf(event.process);
  const parent = membersOf(process.parent);
  return {
    executable: textOf(process.executable),
    buildId: textOf(process.build_id),
    uid: typeof process.uid === 'number' ? process.uid : null,
    parent: textOf(parent.executable) ?? textOf(parent.name),
    unit: textOf(process.unit),
    container: textOf(membersOf(process.container).id),
    pod: textOf(membersOf(process.pod).uid),
  };
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
