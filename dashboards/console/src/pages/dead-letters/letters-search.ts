import { DEAD_LETTER_REASONS } from '#schemas/rejection-codes.ts';
import type { TimeRange } from '../../parts/time/time-range.ts';

export const CODES = DEAD_LETTER_REASONS;
export const STATES = ['open', 'redriven', 'any'] as const;

/** Filters of the list of dead letters. */
export interface LettersSearch extends TimeRange {
  readonly q?: string | undefined;
  readonly code?: (typeof CODES)[number] | undefined;
  readonly topic?: string | undefined;
  /** Undefined: dead letters that no redrive has accepted. */
  readonly status?: (typeof STATES)[number] | undefined;
}
