import type { Detection } from '#schemas/detection.ts';
import { parseExact } from '#schemas/json/parse-exact.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import type { Episode } from './episode.ts';
import { loggedOf, restoreLogged } from './evidence/suppressed-messages.ts';
import type { Outbox } from './outbox.ts';
import { appendToHost } from './state/host-programs.ts';
import { entriesOf, placeOf, putKey } from './state/image-tables.ts';
import type { Host, Program, Segment, Space } from './state/program.ts';
import { addNewest } from './state/program-list.ts';
import { createSpace, setSpaces, spacesOf } from './state/program-spaces.ts';
import { createHost, createProgram, keepHost, type StoreContents } from './state/program-store.ts';
import type { RecentCrashes } from './state/recent-crashes.ts';
import { readMemories, writeMemories } from './state/rule-memory.ts';
import type { SeenLines } from './state/seen-lines.ts';
import { createStateReader, type StateReader } from './state/state-reader.ts';
import { createStateWriter, type StateWriter } from './state/state-writer.ts';
import {
  readEpisode,
  readEvents,
  readProcess,
  repeat,
  writeEpisode,
  writeEvents,
  writeProcess,
} from './state/write-episode.ts';

/**
 * Increases when this version reads the same bytes differently, or when the rules would continue differently from them.
 */
export const STATE_VERSION = 9;
const HEADER = 'trapline-tracker-state';
/** Characters of base64 per chunk: below 1 MiB, and a multiple of 4, so that each chunk can be decoded separately. */
const CHUNK = 1_000_000;

/** Thrown if another version wrote the snapshot. The state must then be rebuilt from the events. */
export class SnapshotVersionError extends Error {
  override readonly name = 'SnapshotVersionError';
}

export interface TrackerState {
  readonly contents: StoreContents;
  readonly pending: Outbox['pending'];
  readonly seen: SeenLines;
  readonly recent: RecentCrashes;
  sequence: number;
}

/**
 * Serializes the whole state: a header with the version, then base64 of the binary form. Programs are written segment
 * by segment, from the least to the most recently seen. Reading them in this order rebuilds every list.
 */
export function writeSnapshot(state: TrackerState): string[] {
  const writer = createStateWriter();
  const { contents } = state;
  writer.numbers([state.sequence, contents.births, contents.evictions, contents.hosts.size]);
  const numbers = new Map<Host, number>();
  const programs: Program[] = [];
  const episodes = new Map<Episode, number>();
  for (const host of contents.hosts.values()) {
    numbers.set(host, numbers.size);
    writeHost(writer, host);
    for (const episode of host.episodes ?? []) episodes.set(episode, episodes.size);
  }
  for (let segment = 0; segment < contents.segments.length; segment += 1) {
    const list = contents.segments[segment];
    writer.number(list?.size ?? 0);
    for (let program = list?.oldest; program !== undefined; program = program.newer) {
      writer.number(numbers.get(program.host) as number);
      writeProgram(writer, program);
      programs.push(program);
      for (const episode of program.episodes ?? []) episodes.set(episode, episodes.size);
    }
  }
  writer.numbers([...contents.bare].map((host) => numbers.get(host) as number));
  writer.number(state.pending.changed.size);
  for (const episode of state.pending.changed) {
    const number = episodes.get(episode) ?? -1;
    writer.number(number);
    if (number < 0) writeEpisode(writer, episode);
  }
  writer.numbers(state.seen.numbers());
  writer.numbers(state.recent.numbers());
  writer.number(state.pending.announced.length);
  for (const detection of state.pending.announced) writer.text(stringifyExact(detection));
  writeMemories(writer, [...numbers.keys(), ...programs]);
  writeLatestLines(writer, numbers.keys());
  const encoded = writer.bytes().toString('base64');
  const chunks = [`${HEADER} ${STATE_VERSION}`];
  for (let at = 0; at < encoded.length; at += CHUNK) chunks.push(encoded.slice(at, at + CHUNK));
  return chunks;
}

/**
 * Restores the state of a new tracker. Throws `SnapshotVersionError` for a snapshot of another version, and
 * `RangeError` for a damaged one.
 */
export function readSnapshot(chunks: readonly string[], state: TrackerState): void {
  if (chunks[0] !== `${HEADER} ${STATE_VERSION}`) {
    throw new SnapshotVersionError(`this is not a tracker snapshot of version ${STATE_VERSION}`);
  }
  const { contents } = state;
  const reader = createStateReader(Buffer.concat(chunks.slice(1).map((chunk) => Buffer.from(chunk, 'base64'))));
  const [sequence = 0, births = 0, evictions = 0, hostCount = 0] = reader.numbers() ?? [];
  state.sequence = sequence;
  contents.births = births;
  contents.evictions = evictions;
  const hosts = repeat(hostCount, () => readHost(reader, contents));
  for (const host of hosts) keepHost(contents, host);
  const episodes = hosts.flatMap((host) => host.episodes ?? []);
  const programsOf = hosts.map((): Program[] => []);
  const programs: Program[] = [];
  for (let segment = 0; segment < contents.segments.length; segment += 1) {
    const count = reader.number();
    for (let i = 0; i < count; i += 1) {
      const number = reader.number();
      const host = hosts[number] as Host;
      const program = readProgram(reader, host, segment as Segment);
      addNewest(contents.segments[program.segment], program);
      contents.index.add(program);
      contents.programs += 1;
      contents.weight += program.weight;
      programsOf[number]?.push(program);
      programs.push(program);
      for (const episode of program.episodes ?? []) {
        episodes.push(episode);
        host.probes ??= [];
        host.probes.push(episode);
      }
    }
  }
  for (const programs of programsOf) adopt(programs);
  for (const number of reader.numbers() ?? []) contents.bare.add(hosts[number] as Host);
  repeat(reader.number(), () => {
    const number = reader.number();
    state.pending.changed.add(number < 0 ? readEpisode(reader) : (episodes[number] as Episode));
  });
  state.seen.restore(reader.numbers() ?? []);
  state.recent.restore(reader.numbers() ?? []);
  state.pending.announced.push(...repeat(reader.number(), () => parseExact(reader.text()) as Detection));
  readMemories(reader, [...hosts, ...programs]);
  readLatestLines(reader, hosts);
}

/** Writes the times of the latest lines. They follow all data that older versions read. */
function writeLatestLines(writer: StateWriter, hosts: Iterable<Host>): void {
  for (const { latestSeconds, latestNanos } of hosts) {
    writer.number(latestSeconds ?? Number.NaN);
    writer.number(latestNanos);
  }
}

/** Reads what `writeLatestLines` wrote. Snapshots of older versions end before it. */
function readLatestLines(reader: StateReader, hosts: readonly Host[]): void {
  for (const host of hosts) {
    const seconds = reader.atEnd() ? Number.NaN : reader.number();
    host.latestSeconds = Number.isNaN(seconds) ? undefined : seconds;
    host.latestNanos = reader.atEnd() ? 0 : reader.number();
  }
}

/** Restores the creation order of a host's programs, which the segments do not preserve. */
function adopt(programs: Program[]): void {
  programs.sort((a, b) => a.born - b.born);
  for (const program of programs) appendToHost(program);
}

function writeHost(writer: StateWriter, host: Host): void {
  writer.optionalText(host.name);
  writer.number(host.born);
  writer.number(host.events);
  writer.number(host.aliases?.size ?? 0);
  for (const [comm, program] of host.aliases ?? []) {
    writer.text(comm);
    writer.text(program);
  }
  const images = host.images === undefined ? [] : entriesOf(host.images);
  writer.number(images.length);
  for (const [key, program] of images) {
    writer.number(key);
    writer.text(program);
  }
  writer.number(host.episodes?.length ?? 0);
  for (const episode of host.episodes ?? []) writeEpisode(writer, episode);
  writer.numbers(host.suppressed);
  writer.numbers(loggedOf(host));
}

function readHost(reader: StateReader, contents: StoreContents): Host {
  const host = createHost(reader.optionalText(), reader.number(), contents);
  host.events = reader.number();
  const aliases = repeat(reader.number(), (): [string, string] => [reader.text(), reader.text()]);
  if (aliases.length > 0) host.aliases = new Map(aliases);
  const images = repeat(reader.number(), (): [number, string] => [reader.number(), reader.text()]);
  // The snapshot does not contain the number of the program that set the name.
  for (const [key, name] of images) putKey(host, placeOf(host.images, key), key, { name, born: 0 });
  const episodes = repeat(reader.number(), () => readEpisode(reader));
  if (episodes.length > 0) host.episodes = episodes;
  host.suppressed = reader.numbers();
  restoreLogged(host, reader.numbers());
  return host;
}

/**
 * Writes a name. A name equal to the program's is omitted: most processes and files have the same name as their
 * program.
 */
function writeName(writer: StateWriter, program: Program, name: string): void {
  writer.optionalText(name === program.name ? null : name);
}

function writeProgram(writer: StateWriter, program: Program): void {
  writer.text(program.name);
  writeName(writer, program, program.comm);
  writer.number(program.born);
  writer.number(program.weight);
  writer.number(program.pruneAt);
  writer.numbers(program.points);
  writer.numbers(program.displaced);
  writer.numbers(program.registers);
  writer.numbers(program.aborts);
  const spaces = spacesOf(program);
  writer.number(spaces.length);
  for (const space of spaces) {
    writeName(writer, program, space.file);
    writer.number(space.size);
    writer.number(space.baseSpace);
    writer.number(space.baseOffset);
  }
  writer.number(program.episodes?.length ?? 0);
  for (const episode of program.episodes ?? []) writeEpisode(writer, episode);
  writeProcess(writer, program.process?.agreed);
  if (program.process !== undefined) writer.number(program.process.seconds);
  writeEvents(writer, program.events);
}

function readProgram(reader: StateReader, host: Host, segment: Segment): Program {
  const name = reader.text();
  const comm = reader.optionalText() ?? name;
  const program = createProgram(host, name, comm, reader.number(), segment);
  program.weight = reader.number();
  program.pruneAt = reader.number();
  program.points = reader.numbers() ?? [];
  program.displaced = reader.numbers();
  program.registers = reader.numbers();
  program.aborts = reader.numbers();
  const count = reader.number();
  const spaces: Space[] = [];
  while (spaces.length < count) {
    const file = reader.optionalText() ?? name;
    const size = reader.number();
    spaces.push(createSpace(file, spaces.length + 1, size, { space: reader.number(), offset: reader.number() }));
  }
  setSpaces(program, spaces);
  const episodes = repeat(reader.number(), () => readEpisode(reader));
  if (episodes.length > 0) program.episodes = episodes;
  const agreed = readProcess(reader);
  if (agreed !== undefined) program.process = { agreed, seconds: reader.number() };
  const events = readEvents(reader);
  if (events !== undefined) program.events = events;
  return program;
}
