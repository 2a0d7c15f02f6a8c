import { weighAgreed } from './agreed-process.ts';
import { boundedKey, detachedCopy } from './detached-copy.ts';
import { appendToHost, removeFromHost } from './host-programs.ts';
import { createImageTables, type ImageTables, releaseImages } from './image-tables.ts';
import { createNameIndex, hashOf, type NameIndex } from './name-index.ts';
import { FORGOTTEN, type Host, type Program, SEGMENTS, type Segment } from './program.ts';
import { addNewest, createProgramList, type ProgramList, remove } from './program-list.ts';
import { createRepeatRings, type RepeatRings, releaseRing, weighRepeats } from './repeated-crashes.ts';

/**
 * Maximum length of a stored host name. Longer names become their beginning and a hash. A DNS name has at most 253
 * characters, a process name 15.
 */
export const MAX_HOSTNAME = 255;
export const MAX_PROGRAM_NAME = 64;

/** Minimum number of events of a known host. */
const KNOWN_HOST_EVENTS = 8;
/** Maximum number of programs worth keeping that are skipped when a program of a host is evicted. */
const MAX_SKIPPED = 64;
/** Shares of `maxPrograms` above which a segment is evicted first. */
const FRESH_SHARE = 0.1;
const KNOWN_SHARE = 0.4;
const PROMISING_SHARE = 0.25;
/** Owner number of hosts in their index. */
const HOST_OWNER = 0;

export interface StoreLimits {
  readonly maxPrograms: number;
  readonly maxProgramsPerHost: number;
  readonly maxPoints: number;
}

/**
 * Hosts and their programs, with limits. Evicts in this order: programs of hosts with few events, programs with a
 * single event, the least recently seen programs, and last programs with signs of probing. A flood of invented names
 * therefore evicts itself. The choice depends on the events alone.
 */
export interface ProgramStore {
  /**
   * Returns the host, and creates it if it is unknown. `probable`: what `probableHost` returned for the event, at any
   * earlier time.
   */
  host(name: string | null, probable: Host | undefined): Host;
  /**
   * Returns the program, and creates it if it is unknown. `probable`: what `findProbable` returned for the event, at
   * any earlier time.
   */
  program(host: Host, name: string, comm: string, probable: Program | undefined): Program;
  /** Returns the host that is probably stored under the name. Creates nothing. */
  probableHost(name: string | null): Host | undefined;
  /** Returns the hash under which a program of the host is stored, if it exists. */
  hashOfProgram(host: Host, name: string): number;
  /** Returns the program that probably has the hash. Does not read the program and creates nothing. */
  findProbable(hash: number): Program | undefined;
  /** Returns the program if it is stored. Creates nothing. */
  find(host: Host, name: string): Program | undefined;
  /**
   * Must be called after every change of a program. Updates its position and weight, and evicts programs beyond the
   * limits. `counted` is false for the second line of a crash. `promising` is true if the program shows signs of
   * probing.
   */
  settle(program: Program, counted: boolean, promising: boolean): void;
  stats(): { hosts: number; programs: number; evictions: number };
  /** The whole state, for snapshots. */
  readonly contents: StoreContents;
}

export interface StoreContents {
  readonly hosts: Map<string | null, Host>;
  /** Hosts without a program, in the order of creation. */
  readonly bare: Set<Host>;
  readonly segments: readonly [ProgramList, ProgramList, ProgramList, ProgramList];
  /** Programs by the `born` of their host and by name. `hostIndex` contains the hosts that have a name. */
  readonly index: NameIndex<Program>;
  readonly hostIndex: NameIndex<Host>;
  readonly rings: RepeatRings;
  readonly imageTables: ImageTables;
  programs: number;
  weight: number;
  evictions: number;
  /** Number of hosts and programs created so far. It orders them by creation. */
  births: number;
}

/**
 * Creates an empty store with these limits. Calls `forgotten` for each program before its eviction. Long: its
 * operations share the segments and their counts.
 */
export function createProgramStore(limits: StoreLimits, forgotten: (program: Program) => void): ProgramStore {
  const contents = createContents();
  const { hosts, bare, segments, index } = contents;
  const maxBare = Math.max(16, Math.ceil(limits.maxPrograms / 10));

  function findHost(rawName: string | null): Host | undefined {
    return rawName === null ? hosts.get(null) : contents.hostIndex.find(HOST_OWNER, boundedKey(rawName, MAX_HOSTNAME));
  }

  function host(rawName: string | null, probable: Host | undefined): Host {
    const isFound = probable !== undefined && probable.name === rawName && !probable.isForgotten;
    let found = isFound ? probable : findHost(rawName);
    if (found === undefined) {
      const name = rawName === null ? null : boundedKey(rawName, MAX_HOSTNAME);
      contents.births += 1;
      found = createHost(name === null ? null : detachedCopy(name, MAX_HOSTNAME), contents.births, contents);
      keepHost(contents, found);
      bare.add(found);
      if (bare.size > maxBare) forgetBareHost();
    } else if (found.first === undefined) {
      bare.delete(found);
      bare.add(found);
    }
    found.events += 1;
    return found;
  }

  function probableHost(rawName: string | null): Host | undefined {
    if (rawName === null) return hosts.get(null);
    return contents.hostIndex.findProbable(hashOf(HOST_OWNER, boundedKey(rawName, MAX_HOSTNAME)));
  }

  function removeHost(host: Host): void {
    host.isForgotten = true;
    hosts.delete(host.name);
    if (host.name !== null) contents.hostIndex.remove(host);
  }

  function forgetBareHost(): void {
    const oldest = bare.values().next().value;
    if (oldest === undefined) return;
    bare.delete(oldest);
    releaseImages(oldest);
    removeHost(oldest);
    contents.evictions += 1;
  }

  function find(of: Host, rawName: string): Program | undefined {
    return index.find(of.born, boundedKey(rawName, MAX_PROGRAM_NAME));
  }

  function program(of: Host, rawName: string, comm: string, probable: Program | undefined): Program {
    if (probable !== undefined && probable.name === rawName && probable.host === of && probable.weight !== FORGOTTEN)
      return probable;
    const found = find(of, rawName);
    if (found !== undefined) return found;
    contents.births += 1;
    const name = detachedCopy(rawName, MAX_PROGRAM_NAME);
    const segment = of.events >= KNOWN_HOST_EVENTS ? SEGMENTS.known : SEGMENTS.fresh;
    const made = createProgram(
      of,
      name,
      comm === name ? name : detachedCopy(comm, MAX_PROGRAM_NAME),
      contents.births,
      segment,
    );
    attach(contents, made);
    if (of.programs > limits.maxProgramsPerHost) {
      const victim = chooseOfHost(contents, of, made);
      if (victim !== undefined) forget(victim);
    }
    evictOverBounds(made);
    return made;
  }

  function settle(changed: Program, counted: boolean, promising: boolean): void {
    const list = segments[changed.segment];
    const target = segmentAfter(changed, counted, promising);
    if (target !== changed.segment || list.newest !== changed) {
      remove(list, changed);
      changed.segment = target;
      addNewest(segments[target], changed);
    }
    const weight = weigh(changed);
    contents.weight += weight - changed.weight;
    changed.weight = weight;
    if (segments[SEGMENTS.promising].size > limits.maxPrograms * PROMISING_SHARE) demoteOldest();
    if (contents.weight > limits.maxPoints) evictOverBounds(changed);
  }

  function demoteOldest(): void {
    const list = segments[SEGMENTS.promising];
    const oldest = list.oldest;
    if (oldest === undefined || list.size < 2) return;
    remove(list, oldest);
    oldest.segment = SEGMENTS.returning;
    addNewest(segments[SEGMENTS.returning], oldest);
  }

  function evictOverBounds(keep: Program): void {
    while (contents.programs > limits.maxPrograms || contents.weight > limits.maxPoints) {
      const victim = chooseVictim(contents, limits, keep);
      if (victim === undefined) return;
      forget(victim);
    }
  }

  function forget(victim: Program): void {
    const of = victim.host;
    remove(segments[victim.segment], victim);
    contents.programs -= 1;
    contents.weight -= victim.weight;
    contents.evictions += 1;
    index.remove(victim);
    victim.weight = FORGOTTEN;
    releaseRing(victim);
    removeFromHost(victim);
    forgotten(victim);
    if (of.first !== undefined) return;
    if (of.episodes === undefined && of.suppressed === undefined && of.memory === undefined) {
      releaseImages(of);
      removeHost(of);
      return;
    }
    bare.add(of);
    if (bare.size > maxBare) forgetBareHost();
  }

  return {
    host,
    program,
    probableHost,
    hashOfProgram,
    findProbable: index.findProbable,
    find,
    settle,
    stats: () => ({ hosts: hosts.size, programs: contents.programs, evictions: contents.evictions }),
    contents,
  };
}

function createContents(): StoreContents {
  return {
    hosts: new Map(),
    bare: new Set(),
    segments: [createProgramList(), createProgramList(), createProgramList(), createProgramList()],
    index: createNameIndex((program) => program.host.born),
    hostIndex: createNameIndex(() => HOST_OWNER),
    rings: createRepeatRings(),
    imageTables: createImageTables(),
    programs: 0,
    weight: 0,
    evictions: 0,
    births: 0,
  };
}

function hashOfProgram(of: Host, name: string): number {
  return hashOf(of.born, boundedKey(name, MAX_PROGRAM_NAME));
}

/**
 * Returns the next program to evict from the whole store, first from segments over their share. Never returns `keep`.
 */
function chooseVictim({ segments }: StoreContents, { maxPrograms }: StoreLimits, keep: Program): Program | undefined {
  const [fresh, known, returning, promising] = segments;
  const order =
    fresh.size > maxPrograms * FRESH_SHARE
      ? [fresh, known, returning, promising]
      : known.size > maxPrograms * KNOWN_SHARE
        ? [known, returning, fresh, promising]
        : [returning, known, fresh, promising];
  for (const list of order) {
    const victim = list.oldest === keep ? keep.newer : list.oldest;
    if (victim !== undefined) return victim;
  }
  return undefined;
}

/**
 * Returns the next program to evict from a host that exceeded its limit: the oldest with a single event. Skips at most
 * `MAX_SKIPPED` programs of better segments. Moves skipped programs to the end of the host's list, so that the next
 * choice starts after them.
 */
function chooseOfHost(contents: StoreContents, host: Host, keep: Program): Program | undefined {
  let victim: Program | undefined;
  let skipped = 0;
  let candidate = host.first;
  while (candidate !== undefined) {
    if (candidate === keep) {
      candidate = candidate.later;
      continue;
    }
    victim ??= candidate;
    if (candidate.segment < SEGMENTS.returning) return candidate;
    if (victim.segment > candidate.segment) victim = candidate;
    skipped += 1;
    if (skipped > MAX_SKIPPED) break;
    // A moved last program would follow itself.
    const next: Program = candidate.later ?? candidate;
    removeFromHost(candidate);
    appendToHost(candidate);
    contents.births += 1;
    candidate.born = contents.births;
    candidate = next;
  }
  return victim;
}

/** Adds a new program: at the newest end of its segment, to its host and to the index. */
function attach(contents: StoreContents, program: Program): void {
  const { host } = program;
  if (host.first === undefined) contents.bare.delete(host);
  appendToHost(program);
  contents.index.add(program);
  addNewest(contents.segments[program.segment], program);
  contents.programs += 1;
  contents.weight += program.weight;
}

/** Adds a new host. */
export function keepHost({ hosts, hostIndex }: Pick<StoreContents, 'hosts' | 'hostIndex'>, host: Host): void {
  hosts.set(host.name, host);
  if (host.name !== null) hostIndex.add(host);
}

/** Creates a host without events. */
export function createHost(
  name: string | null,
  born: number,
  { rings, imageTables }: Pick<StoreContents, 'rings' | 'imageTables'>,
): Host {
  return {
    name,
    born,
    events: 0,
    latestSeconds: 0,
    latestNanos: 0,
    latestWitness: undefined,
    first: undefined,
    last: undefined,
    programs: 0,
    aliases: undefined,
    images: undefined,
    isForgotten: false,
    probes: undefined,
    episodes: undefined,
    suppressed: undefined,
    logged: undefined,
    loggedStep: 0,
    loggedLately: 0,
    rings,
    imageTables,
    memory: undefined,
  };
}

/**
 * Creates a program without events. The fields that every crash reads come first, so that they share few cache lines.
 */
export function createProgram(host: Host, name: string, comm: string, born: number, segment: Segment): Program {
  return {
    host,
    name,
    born,
    points: [],
    ring: -1,
    imagePlace: -1,
    latest: undefined,
    segment,
    newer: undefined,
    older: undefined,
    weight: 0,
    isWatched: undefined,
    displaced: undefined,
    aborts: undefined,
    episodes: undefined,
    memory: undefined,
    process: undefined,
    events: undefined,
    registers: undefined,
    pruneAt: 64,
    spaces: undefined,
    comm,
    earlier: undefined,
    later: undefined,
  };
}

/**
 * Returns the segment of a program after a crash. It rises when the program crashes again or shows signs of probing.
 * The two lines of one crash count as one.
 */
function segmentAfter(program: Program, counted: boolean, promising: boolean): Segment {
  if (promising) return SEGMENTS.promising;
  if (program.segment === SEGMENTS.promising || !counted || program.weight === 0) return program.segment;
  return SEGMENTS.returning;
}

/** Returns the memory cost in crash places. A value of an episode costs about half of one. */
function weigh(program: Program): number {
  let doubles = program.points.length + weighRepeats(program);
  if (program.displaced !== undefined) doubles += program.displaced.length;
  if (program.registers !== undefined) doubles += program.registers.length;
  if (program.aborts !== undefined) doubles += program.aborts.length;
  if (program.episodes !== undefined) for (const episode of program.episodes) doubles += 20 + episode.values.size * 5;
  if (program.memory !== undefined) for (const numbers of program.memory.lists) doubles += numbers.length;
  if (program.process !== undefined) doubles += weighAgreed(program.process.agreed);
  if (program.events !== undefined) for (const { json } of program.events) doubles += 4 + json.length / 8;
  return Math.max(1, Math.ceil(doubles / 10));
}
