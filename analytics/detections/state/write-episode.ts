import type { Severity } from '#schemas/detection.ts';
import type { Episode } from '../episode.ts';

import type { EvidenceEvent } from '../evidence-event.ts';
import { isRuleId } from '../rule-registry.ts';

import { AGREED_NAMES, type AgreedProcess } from './agreed-process.ts';
import type { StateReader } from './state-reader.ts';
import type { StateWriter } from './state-writer.ts';

/** Writes an episode, field by field. */
export function writeEpisode(writer: StateWriter, episode: Episode): void {
  writer.text(episode.rule);
  writer.text(episode.id);
  for (const part of [episode.hostname, episode.program, episode.procname, episode.file, episode.register]) {
    writer.optionalText(part);
  }
  writer.number(episode.detail.length);
  for (const part of episode.detail) writer.text(part);
  writer.text(episode.severity);
  for (const time of [episode.first, episode.last]) {
    writer.number(time.seconds);
    writer.number(time.nanos);
  }
  writer.numbers([
    episode.revision,
    episode.crashes,
    episode.suppressed,
    episode.evidence,
    episode.announceAt,
    episode.valuesBeyond,
    episode.touched,
  ]);
  writer.numbers(episode.regions);
  writer.number(episode.values.size);
  for (const value of episode.values) writer.text(value);
  writeProcess(writer, episode.process);
  writeEvents(writer, episode.events);
}

/** Reads what `writeEpisode` wrote. Throws a `RangeError` for an episode whose rule this version does not have. */
export function readEpisode(reader: StateReader): Episode {
  const rule = reader.text();
  if (!isRuleId(rule)) throw new RangeError(`the snapshot holds an episode of the rule ${rule}, which does not exist`);
  const id = reader.text();
  const hostname = reader.optionalText();
  const program = reader.optionalText();
  const procname = reader.optionalText();
  const file = reader.optionalText();
  const register = reader.optionalText();
  const detail = repeat(reader.number(), () => reader.text());
  const severity = reader.text() as Severity;
  const first = { seconds: reader.number(), nanos: reader.number() };
  const last = { seconds: reader.number(), nanos: reader.number() };
  const [revision = 0, crashes = 0, suppressed = 0, evidence = 0, announceAt = 0, valuesBeyond = 0, touched = 0] =
    reader.numbers() ?? [];
  const counts = { revision, crashes, suppressed, evidence, announceAt, valuesBeyond, touched };
  const regions = reader.numbers() ?? [];
  const values = new Set(repeat(reader.number(), () => reader.text()));
  const process = readProcess(reader);
  const events = readEvents(reader);
  return {
    rule,
    id,
    hostname,
    program,
    procname,
    file,
    register,
    detail,
    severity,
    first,
    last,
    ...counts,
    regions,
    values,
    ...(process === undefined ? {} : { process }),
    ...(events === undefined ? {} : { events }),
  };
}

/** Writes the process facts of crashes. There are usually none. */
export function writeProcess(writer: StateWriter, process: AgreedProcess | undefined): void {
  writer.number(process === undefined ? 0 : 1);
  if (process === undefined) return;
  writer.number(process.conflicts);
  for (const value of process.values) writer.optionalText(value);
}

/** Reads what `writeProcess` wrote. */
export function readProcess(reader: StateReader): AgreedProcess | undefined {
  if (reader.number() === 0) return undefined;
  const conflicts = reader.number();
  return { conflicts, values: AGREED_NAMES.map(() => reader.optionalText()) };
}

/** Writes the events stored for the justification `full`. There are usually none. */
export function writeEvents(writer: StateWriter, events: readonly EvidenceEvent[] | undefined): void {
  writer.number(events?.length ?? 0);
  for (const { time, json } of events ?? []) {
    writer.number(time.seconds);
    writer.number(time.nanos);
    writer.text(json);
  }
}

/** Reads what `writeEvents` wrote; undefined if there are no events. */
export function readEvents(reader: StateReader): EvidenceEvent[] | undefined {
  const events = repeat(reader.number(), () => {
    const time = { seconds: reader.number(), nanos: reader.number() };
    return { time, json: reader.text() };
  });
  return events.length > 0 ? events : undefined;
}

export function repeat<T>(count: number, read: () => T): T[] {
  const items: T[] = [];
  for (let i = 0; i < count; i += 1) items.push(read());
  return items;
}
