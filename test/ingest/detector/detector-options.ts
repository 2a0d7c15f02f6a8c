import type { DetectorOptions } from '#ingest/detector/run-detector.ts';

/** Options of a detector that only reads the kernel log: it stores no state and watches no settings. */
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
