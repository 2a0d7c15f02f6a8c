import { weighAgreed } from './agreed-process.ts';
import { boundedKey, detachedCopy } from './detached-copy.ts';
import { appendToHost, removeFromHost } from './host-programs.ts';
import { createImageTables, type ImageTables, releaseImages } from './image-tables.ts';
import { createNameIndex, hashOf, type NameIndex } from './name-index.ts';
import { FORGOTTEN, type Host, type Program, SEGMENTS, type Segment } from './program.ts';
import { addNewest, createProgramList, type ProgramList, remove } from './program-list.ts';
import { createRepeatRings, type RepeatRings, releaseRing, weighRepeats } from './repeated-crashes.ts';

/** Longer names are kept as their beginning and a hash. A DNS name has at most 253 characters, a process name 15. */
export const MAX_HOSTNAME = 255;
export const MAX_PROGRAM_NAME = 64;

/** From so many events on a host counts as known. */
const KNOWN_HOST_EVENTS = 8;
/** How many programs that deserve to stay are passed over at most when one of a host has to go. */
const MAX_SKIPPED = 64;
/** Shares of `maxPrograms` above which a segment gives way first. */
const FRESH_SHARE = 0.1;
const KNOWN_SHARE = 0.4;
const PROMISING_SHARE = 0.25;
/** Number of the owner of hosts in their index. */
const OF_NO_HOST = 0;

export interface StoreLimits {
  readonly maxPrograms: number;
  readonly maxProgramsPerHost: number;
  readonly maxPoints: number;
}

/**
 * Hosts and their programs, bounded. Evicts in this order: programs of hosts with few events, programs
 * with a single event, programs least recently seen, and last those with signs of probing. So a flood of invented names evicts
 * itself. Which one goes depends on the events alone.
 */
export interface ProgramStore {
  /** `probable`: what `probableHost` returned for the event, at any time before. */
  host(name: string | null, probable: Host | undefined): Host;
  /** `probable`: what `findProbable` returned for the event, at any time before. */
  program(host: Host, name: string, comm: string, probable: Program | undefined): Program;
  /** The host that is probably remembered under the name; makes nothing. */
  probableHost(name: string | null): Host | undefined;
  /** The hash under which a program of the host is found, if there is one. */
  hashOfProgram(host: Host, name: string): number;
  /** The program that probably has the hash; reads nothing of it, and makes nothing. */
  findProbable(hash: number): Program | undefined;
  /** The program if it is remembered; makes nothing. */
  find(host: Host, name: string): Program | undefined;
  /**
   * To be called after every change of a program: renews its place, corrects its weight, evicts what is over the bounds. `counted` is false for
   * the second line of a crash that has settled already; `promising` says that the program shows signs of probing.
   */
  settle(program: Program, counted: boolean, promising: boolean): void;
  stats(): { hosts: number; programs: number; evictions: number };
  /** Everything, for snapshots. */
  readonly contents: StoreContents;
}

export interface StoreContents {
  readonly hosts: Map<string | null, Host>;
  /** Hosts without a program, longest known first. */
  readonly bare: Set<Host>;
  readonly segments: readonly [ProgramList, ProgramList, ProgramList, ProgramList];
  /** Programs by the `born` of their host, and hosts that have a name. */
  readonly index: NameIndex<Program>;
  readonly hostIndex: NameIndex<Host>;
  readonly rings: RepeatRings;
  readonly imageTables: ImageTables;
  programs: number;
  weight: number;
  evictions: number;
  /** Counts hosts and programs made: their order among their kind. */
  births: number;
}

/**
 * An empty store within these limits; `forgotten` is called with each program before its eviction.
 * Long: the operations share the segments and their counts, and none is useful alone.
 */
export function createProgramStore(limits: StoreLimits, forgotten: (program: Program) => void): ProgramStore {
  const contents = createContents();
  const { hosts, bare, segments, index } = contents;
  const maxBare = Math.max(16, Math.ceil(limits.maxPrograms / 10));

  function findHost(rawName: string | null): Host | undefined {
    return rawName === null ? hosts.get(null) : contents.hostIndex.find(OF_NO_HOST, boundedKey(rawName, MAX_HOSTNAME));
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
    return contents.hostIndex.findProbable(hashOf(OF_NO_HOST, boundedKey(rawName, MAX_HOSTNAME)));
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
    hostIndex: createNameIndex(() => OF_NO_HOST),
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

/** The next program to evict from the whole store: from segments over their share first. Never `keep`. */
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
 * The next program to evict from a host that exceeded its limit: the longest known with a single event; at most `MAX_SKIPPED` programs of
 * better segments are passed over. Moves those to the end of the host's queue, so that the next choice begins after them.
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
    // Of the last one nothing but itself follows when it was moved.
    const next: Program = candidate.later ?? candidate;
    removeFromHost(candidate);
    appendToHost(candidate);
    contents.births += 1;
    candidate.born = contents.births;
    candidate = next;
  }
  return victim;
}

/** Puts a new program at the newest place of its segment, into its host and into the index. */
function attach(contents: StoreContents, program: Program): void {
  const { host } = program;
  if (host.first === undefined) contents.bare.delete(host);
  appendToHost(program);
  contents.index.add(program);
  addNewest(contents.segments[program.segment], program);
  contents.programs += 1;
  contents.weight += program.weight;
}

/** Puts a new host into the store. */
export function keepHost({ hosts, hostIndex }: Pick<StoreContents, 'hosts' | 'hostIndex'>, host: Host): void {
  hosts.set(host.name, host);
  if (host.name !== null) hostIndex.add(host);
}

/** A host without events. */
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

/** A program without events. First what every crash reads, so that it lies in few lines of memory. */
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

/** A program rises when it crashes again or shows signs of probing; the two lines of one crash are not two crashes. */
function segmentAfter(program: Program, counted: boolean, promising: boolean): Segment {
  if (promising) return SEGMENTS.promising;
  if (program.segment === SEGMENTS.promising || !counted || program.weight === 0) return program.segment;
  return SEGMENTS.returning;
}

/** In crash places; an episode's value costs about half of one. */
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
