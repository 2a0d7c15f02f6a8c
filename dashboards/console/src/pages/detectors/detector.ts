import type { Answer } from '../../api/client.ts';

export type Detector = Answer<'get', '/api/detectors'>['data'][number];

export type DetectorState = 'active' | 'lossy' | 'rejected' | 'waiting' | 'silent';

/** Returns the state of a detector. Silence overrides the state that it reported before. */
export function stateOfDetector(detector: Detector): DetectorState {
  if (detector.silent) return 'silent';
  if (detector.lastSeenAt === null) return 'waiting';
  if (lostBy(detector) > 0) return 'lossy';
  return (detector.refusedEvents ?? 0) > 0 ? 'rejected' : 'active';
}

/** Returns the number of permanently lost kernel records and events. */
export function lostBy({ lostRecords, droppedEvents }: Detector): number {
  return (lostRecords ?? 0) + (droppedEvents ?? 0);
}

/** Returns `print-fatal-signals=1, …`, with the last part of each name, which distinguishes them. */
export function settingsText({ settings }: Detector): string {
  return sortedSettings(settings)
    .map(([name, value]) => `${name.split('.').at(-1)}=${value}`)
    .join(', ');
}

/** Returns the settings sorted by name, because the API does not sort them. */
export function sortedSettings(settings: Detector['settings']): [name: string, value: string][] {
  return Object.entries(settings).sort(([one], [other]) => (one < other ? -1 : 1));
}
