import type { SecurityEventKind } from '../../siem/port.ts';

/** Why a request goes no further, in what an answer needs: code of the catalogue, message, headers. */
export interface Refusal {
  readonly refused: true;
  /** `unavailable`: whether there is room can't be known right now. */
  readonly code: 'rate_limited' | 'unavailable';
  readonly message: string;
  /** `retry-after` always; the RateLimit headers where they apply. */
  readonly headers: Readonly<Record<string, string>>;
  /** Set on the one refusal that began it, to be reported with the request's origin; what follows is the same abuse. */
  readonly report?: SecurityEventKind;
}

/** Seconds as `Retry-After` takes them: whole ones, never 0, and never too few. */
export function wholeSeconds(ms: number): number {
  return Math.max(1, Math.ceil(ms / 1000));
}
