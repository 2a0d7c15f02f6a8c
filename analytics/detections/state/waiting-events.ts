import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { isOfType } from '../event-type.ts';
import type { Host, Program } from './program.ts';
import { nameKnown } from './program-name.ts';
import type { ProgramStore } from './program-store.ts';
import { placeOfNextRepeat } from './repeated-crashes.ts';

/** Events that wait until they are judged together. */
const MAX_WAITING = 64;
/** No hash of a program. */
const NO_HASH = 0;

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
  const hashes = new Int32Array(MAX_WAITING);
  let count = 0;

  /** Short loops: the processor reads the memory for several turns of a loop at the same time, for more of them the shorter it is. */
  function lookAhead(until: number): void {
    let hostname: string | null | undefined;
    let host: Host | undefined;
    let name: string | undefined;
    for (let i = 0; i < until; i += 1) {
      const { event } = events[i] as AcceptedEvent;
      const isSameHost = i > 0 && event.hostname === hostname;
      if (!isSameHost) {
        hostname = event.hostname;
        host = store.probableHost(hostname ?? null);
      }
      const named = programName(event.event);
      hosts[i] = host;
      // The two lines of one crash come one after the other.
      if (isSameHost && named === name) hashes[i] = hashes[i - 1] as number;
      else
        hashes[i] =
          host === undefined || named === undefined ? NO_HASH : store.hashOfProgram(host, nameKnown(host, named));
      name = named;
    }
    for (let i = 0; i < until; i += 1) {
      const hash = hashes[i] as number;
      programs[i] = hash === NO_HASH ? undefined : store.findProbable(hash);
    }
    for (let i = 0; i < until; i += 1) {
      const program = programs[i];
      if (program !== undefined) readProgram(program);
    }
    for (let i = 0; i < until; i += 1) {
      const program = programs[i];
      if (program !== undefined) readContents(program);
    }
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

/** Reads one field of each line of memory of the program itself, and of what it refers to. */
function readProgram({ points, weight, registers, displaced, memory, latest, older, newer }: Program): void {
  let read = points.length + weight;
  if (registers !== undefined) read += registers.length;
  if (displaced !== undefined) read += displaced.length;
  if (memory !== undefined) read += memory.lists.length + memory.rules.length;
  if (latest !== undefined) read += latest.size;
  if (older !== undefined) read += older.weight;
  if (newer !== undefined) read += newer.weight;
  kept[0] = read;
}

/** Reads one number of each line of its arrays that judging its crash uses. */
function readContents(program: Program): void {
  const { points, registers, displaced, memory, latest } = program;
  let read = 0;
  // Of few places all lines.
  const step = Math.max(NUMBERS_A_LINE, points.length >> 3);
  for (let i = 0; i < points.length; i += step) read += points[i] as number;
  if (program.ring >= 0) read += program.host.rings.numbers[placeOfNextRepeat(program)] as number;
  if (registers !== undefined && registers.length > 0) read += registers[registers.length >> 1] as number;
  if (displaced !== undefined && displaced.length > 0) read += displaced[displaced.length - 1] as number;
  if (memory !== undefined) {
    const { lists } = memory;
    for (let i = 0; i < lists.length; i += 1) {
      const numbers = lists[i] as number[];
      if (numbers.length > 0) read += numbers[0] as number;
    }
  }
  if (latest !== undefined) read += latest.baseOffset;
  kept[0] = read;
}

function programName(event: AcceptedEvent['event']['event']): string | undefined {
  if (isOfType(event, 'LinuxKernelTrap')) return event.procname;
  if (isOfType(event, 'LinuxFatalSignal')) return event.stack_dump.Comm ?? '';
  return undefined;
}
