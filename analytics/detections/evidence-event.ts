import type { Instant } from '#schemas/events/accepted.ts';

/** An event of a program, stored whole for the justification `FullEvents`. */
export interface EvidenceEvent {
  readonly time: Instant;
  /** JSON with exact 64-bit numbers. A parsed event would take several times the memory. */
  readonly json: string;
}
