import type { Detection } from './detection.ts';
import { parseExact } from './json/parse-exact.ts';

/** Members that detections written by earlier versions lack, with what stands for them. */
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

/** Reads a detection object that this version or an earlier one wrote as JSON. */
export function parseStoredDetection(text: string): Detection {
  return { ...absentMembers(), ...(parseExact(text) as Detection) };
}
