import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import { isOfType } from '../event-type.ts';
import type { Host, Program } from './program.ts';
import { nameKnown } from './program-name.ts';
import type { ProgramStore } from './program-store.ts';
import { placeOfNextRepeat } from './repeated-crashes.ts';

/** Maximum number of buffered events, which are judged as one batch. */
const MAX_WAITING = 64;
/** Marks an event without a program hash. */
const NO_HASH = 0;

/** Judges one event. `host` and `program` are probable matches, which the store verifies. */
type Judge = (accepted: AcceptedEvent, host: Host | undefined, program: Program | undefined) => void;

/** Buffer of a tracker's events. */
export interface WaitingEvents {
  add(accepted: AcceptedEvent): void;
  /** Judges all buffered events in order. */
  judge(): void;
}

/**
 * Buffers events, then looks up the hosts and programs of all of them before the first is judged. In a large fleet,
 * programs are rarely in the processor's cache. If events were judged one by one, each would wait for the memory of its
 * program. A short lookup loop reads the memory of several programs in parallel.
 */
export function createWaitingEvents(store: ProgramStore, judgeOne: Judge): WaitingEvents {
  const events = new Array<AcceptedEvent | undefined>(MAX_WAITING).fill(undefined);
  const hosts = new Array<Host | undefined>(MAX_WAITING).fill(undefined);
  const programs = new Array<Program | undefined>(MAX_WAITING).fill(undefined);
  const hashes = new Int32Array(MAX_WAITING);
  let count = 0;

  /**
   * Uses short loops: the shorter a loop, the more of its iterations the processor runs in parallel while it waits for
   * memory.
   */
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
      // The two lines of one crash follow each other.
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

/** Keeps the result of reads. Without a use, the engine would remove the reads. */
const kept = new Float64Array(1);

const NUMBERS_A_LINE = 8;

/** Reads one field per cache line of the program and of the objects to which it refers. */
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

/** Reads one number per cache line of the arrays that judging a crash of the program uses. */
function readContents(program: Program): void {
  const { points, registers, displaced, memory, latest } = program;
  let read = 0;
  // With few places, reads every cache line.
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
