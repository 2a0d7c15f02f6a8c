import type { EventType } from './event.ts';

/**
 * Facts about the process from the optional field `process` of an event. A member is null if it is absent or has an
 * unexpected type.
 */
export interface ProcessFacts {
  readonly executable: string | null;
  readonly buildId: string | null;
  readonly uid: number | null;
  readonly parentPid: number | null;
  readonly parentName: string | null;
  readonly parentExecutable: string | null;
  readonly unit: string | null;
  readonly containerId: string | null;
  readonly containerRuntime: string | null;
  readonly podUid: string | null;
}

/** Reads the field `process`, which no schema validates. Returns null if the event has none. */
export function processFacts(event: EventType): ProcessFacts | null {
  const process = objectIn(event, 'process');
  if (process === null) return null;
  const parent = objectIn(process, 'parent');
  const container = objectIn(process, 'container');
  return {
    executable: textIn(process, 'executable'),
    buildId: textIn(process, 'build_id'),
    uid: numberIn(process, 'uid'),
    parentPid: numberIn(parent, 'pid'),
    parentName: textIn(parent, 'name'),
    parentExecutable: textIn(parent, 'executable'),
    unit: textIn(process, 'unit'),
    containerId: textIn(container, 'id'),
    containerRuntime: textIn(container, 'runtime'),
    podUid: textIn(objectIn(process, 'pod'), 'uid'),
  };
}

type Members = Readonly<Record<string, unknown>>;

function objectIn(from: Members, name: string): Members | null {
  const value = from[name];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

function textIn(from: Members | null, name: string): string | null {
  const value = from?.[name];
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Returns an integer that fits in 32 bits, as user ids and process ids do; otherwise null. */
function numberIn(from: Members | null, name: string): number | null {
  const value = from?.[name];
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff ? value : null;
}
