import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { isOfType } from '../event-type.ts';
import type { Host, Program } from './program.ts';
import { nameKnown } from './program-name.ts';
import type { ProgramStore } from './program-store.ts';
import { placeOfNextRepeat } from './repeated-crashes.ts';

/** Events that wait until they are judged together. */
const MAX_WAITING = 64;

/** Judges one event. `host` and `program` are those that it probably belongs to: the store checks them. */
type Judge = (accepted: AcceptedEvent, host: Host | undefined, program: Program | undefined) => void;

/** Events of a tracker that wait until they are judged. */
export interface WaitingEvents {
  add(accepted: AcceptedEvent): void;
  /** Judges all events that wait, in their order. */
  judge(): void;
}

/**
 * Lets events wait until there are some, then looks for the hosts and programs of all of them before the first one is judged. The programs of a fleet are
 * rarely in the processor's cache. Judged one by one, each event waits for the memory of its program; searched in a short loop, the memory of several programs
 * is read at the same time.
 */
export function createWaitingEvents(store: ProgramStore, judgeOne: Judge): WaitingEvents {
  const events = new Array<AcceptedEvent | undefined>(MAX_WAITING).fill(undefined);
  const hosts = new Array<Host | undefined>(MAX_WAITING).fill(undefined);
  const programs = new Array<Program | undefined>(MAX_WAITING).fill(undefined);
  let count = 0;

  function lookAhead(until: number): void {
    for (let i = 0; i < until; i += 1) {
      const { event } = events[i] as AcceptedEvent;
      const host = store.probableHost(event.hostname ?? null);
      hosts[i] = host;
      programs[i] = host === undefined ? undefined : programOf(host, event.event);
    }
    for (let i = 0; i < until; i += 1) {
      const program = programs[i];
      if (program !== undefined) readProgram(program);
    }
  }

  function programOf(host: Host, event: AcceptedEvent['event']['event']): Program | undefined {
    if (isOfType(event, 'LinuxKernelTrap')) return store.probableProgram(host, nameKnown(host, event.procname));
    if (isOfType(event, 'LinuxFatalSignal'))
      return store.probableProgram(host, nameKnown(host, event.stack_dump.Comm ?? ''));
    return undefined;
  }

  function judge(): void {
    const until = count;
    count = 0;
    lookAhead(until);
    for (let i = 0; i < until; i += 1) {
      const accepted = events[i] as AcceptedEvent;
      events[i] = undefined;
      const program = programs[i];
      programs[i] = undefined;
      judgeOne(accepted, hosts[i], program);
    }
  }

  return {
    add(accepted) {
      events[count] = accepted;
      count += 1;
      if (count === MAX_WAITING) judge();
    },
    judge,
  };
}

/** Without a use of what was read, the engine would not read it. */
const kept = new Float64Array(1);

const NUMBERS_A_LINE = 8;

/** Reads one number of each array and object of a program that judging its crash uses. */
function readProgram(program: Program): void {
  const { points, registers, latest, older, newer } = program;
  if (points.length === 0) return;
  let read = 0;
  // Of programs with few places all, each line of memory once.
  const step = Math.max(NUMBERS_A_LINE, points.length >> 3);
  for (let i = 0; i < points.length; i += step) read += points[i] as number;
  if (program.ring >= 0) read += program.host.rings.numbers[placeOfNextRepeat(program)] as number;
  if (registers !== undefined && registers.length > 0) read += registers[registers.length >> 1] as number;
  if (latest !== undefined) read += latest.baseOffset;
  if (older !== undefined) read += older.weight;
  if (newer !== undefined) read += newer.weight;
  kept[0] = read;
}
