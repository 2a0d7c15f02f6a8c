import type { Detection } from '#schemas/detection.ts';

/** One episode as each of two settings finds it. */
export interface ChangedEpisode {
  readonly before: readonly Detection[];
  readonly after: readonly Detection[];
}

export interface ComparedDetections {
  /** Only the proposed settings find them. */
  readonly added: readonly Detection[];
  /** Only the current settings find them. */
  readonly removed: readonly Detection[];
  /** Both settings find the episode, with another beginning, end, severity or count. */
  readonly changed: readonly ChangedEpisode[];
}

/** What an analyst sees of a detection: two that agree in it are the same result. */
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
 * Compares the detections of one rule under two settings. The id of a detection contains its first evidence, so an episode that begins earlier
 * or later has another id: detections of one program and register that overlap in time are therefore compared as one episode. A setting may
 * also split an episode or join several.
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

/** Those of `these` that are not among `those` with the same id and content. */
function different(these: readonly Detection[], those: readonly Detection[]): Detection[] {
  const others = new Map(those.map((detection) => [detection.id, detection]));
  return these.filter((detection) => {
    const other = others.get(detection.id);
    return other === undefined || COMPARED.some((name) => other[name] !== detection[name]);
  });
}

/** Groups detections of the same subject whose times overlap, through other detections if need be. */
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
    // Times are RFC 3339 in UTC with nine fractional digits: their order as text is their order in time.
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
