import type { Detection } from '#schemas/detection.ts';

/** One episode as found under each of the two settings. */
export interface ChangedEpisode {
  readonly before: readonly Detection[];
  readonly after: readonly Detection[];
}

export interface ComparedDetections {
  /** Found only under the proposed settings. */
  readonly added: readonly Detection[];
  /** Found only under the current settings. */
  readonly removed: readonly Detection[];
  /** Found under both settings, with a different start, end, severity or count. */
  readonly changed: readonly ChangedEpisode[];
}

/** Fields that an analyst sees. Two detections that agree in all of them are the same result. */
const COMPARED = [
  'severity',
  'firstSeen',
  'lastSeen',
  'crashes',
  'suppressedAtLeast',
  'valuesTotal',
  'evidenceCount',
  'exception',
] as const satisfies readonly (keyof Detection)[];

/**
 * Compares the detections of one rule under two settings. The id of a detection contains its first evidence, so an
 * episode that starts earlier or later has another id. Detections of the same program and register that overlap in time
 * are therefore compared as one episode. A setting may also split an episode or join several.
 */
export function compareDetections(current: readonly Detection[], proposed: readonly Detection[]): ComparedDetections {
  const added: Detection[] = [];
  const removed: Detection[] = [];
  const changed: ChangedEpisode[] = [];
  for (const { before, after } of episodesOf(different(current, proposed), different(proposed, current))) {
    if (before.length === 0) added.push(...after);
    else if (after.length === 0) removed.push(...before);
    else changed.push({ before, after });
  }
  return { added, removed, changed };
}

/** Returns the detections of `these` for which `those` has none with the same id and content. */
function different(these: readonly Detection[], those: readonly Detection[]): Detection[] {
  const others = new Map(those.map((detection) => [detection.id, detection]));
  return these.filter((detection) => {
    const other = others.get(detection.id);
    return other === undefined || COMPARED.some((name) => other[name] !== detection[name]);
  });
}

/** Groups detections of the same subject whose times overlap, directly or through other detections. */
function episodesOf(current: readonly Detection[], proposed: readonly Detection[]): ChangedEpisode[] {
  const bySubject = Map.groupBy(
    [
      ...current.map((detection) => ({ detection, side: 'before' as const })),
      ...proposed.map((detection) => ({ detection, side: 'after' as const })),
    ],
    ({ detection: { rule, hostname, procname, register } }) => JSON.stringify([rule.id, hostname, procname, register]),
  );
  const episodes: { before: Detection[]; after: Detection[] }[] = [];
  for (const found of bySubject.values()) {
    // RFC 3339 times in UTC with nine fractional digits sort chronologically as strings.
    found.sort((a, b) => (a.detection.firstSeen < b.detection.firstSeen ? -1 : 1));
    let end: string | undefined;
    let episode: { before: Detection[]; after: Detection[] } = { before: [], after: [] };
    for (const { detection, side } of found) {
      if (end === undefined || detection.firstSeen > end) {
        episode = { before: [], after: [] };
        episodes.push(episode);
      }
      episode[side].push(detection);
      if (end === undefined || detection.lastSeen > end) end = detection.lastSeen;
    }
  }
  return episodes;
}
