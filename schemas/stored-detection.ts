import type { Detection } from './detection.ts';
import { parseExact } from './json/parse-exact.ts';

/** Default values of members that detections of earlier versions lack. */
export function absentMembers() {
  return {
    executable: null,
    buildId: null,
    uid: null,
    parent: null,
    unit: null,
    container: null,
    pod: null,
    hosts: [] as string[],
    hostsTotal: 0,
    risk: null,
  } satisfies Partial<Detection>;
}

/** Parses the JSON of a stored detection, written by this version or an earlier one. */
export function parseStoredDetection(text: string): Detection {
  return { ...absentMembers(), ...(parseExact(text) as Detection) };
}
