import type { Instant } from '#schemas/events/accepted.ts';

/** An event of a program, kept whole for the justification `FullEvents`. */
export interface EvidenceEvent {
  readonly time: Instant;
  /** JSON with every 64-bit digit: a parsed event takes several times its memory. */
  readonly json: string;
}
