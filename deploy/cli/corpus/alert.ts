import type { Severity } from '#schemas/detection.ts';

/** The first report of a detection while a capture was read. */
export interface Alert {
  readonly rule: string;
  /** In its final revision. */
  readonly severity: Severity;
  readonly procname: string | null;
  /** From the first record of the attacked program to the one that opened the detection, by the times of the events. */
  readonly seconds: number;
  /** Processes of that program that had crashed by then, as logged. */
  readonly crashes: number;
}
