import type { DetectorOptions } from '#ingest/detector/run-detector.ts';

/** Of a detector that reads the kernel's log and is told nothing else: it keeps no state and watches no settings. */
export const BARE_OPTIONS: DetectorOptions = {
  input: { kind: 'kmsg', path: '/dev/kmsg' },
  hostname: null,
  bootTimeMs: null,
  signalDialect: 'v1',
  stateFile: null,
  settings: null,
  root: '/',
  lowMemory: false,
};
