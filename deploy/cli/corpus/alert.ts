import type { Severity } from '#schemas/detection.ts';

/** The first report of a detection in a capture. */
export interface Alert {
  readonly rule: string;
  /** Severity in the final revision. */
  readonly severity: Severity;
  readonly procname: string | null;
  /** From the first record of the attacked program to the record that opened the detection, in event time. */
  readonly seconds: number;
  /** Crashed processes of that program so far, as logged. */
  readonly crashes: number;
}
