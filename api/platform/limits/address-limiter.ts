import type { SharedState, WindowLimit } from '../../shared-state/port.ts';
import type { Refusal } from './refusal.ts';

export interface AddressLimiter {
  /** Asked first of all, before anything is verified. Costs no round trip for an address this process knows. */
  refuseBlocked(address: string): Promise<Refusal | undefined>;
  /**
   * Runs `verify` for a key that was presented, unless too many from this address were wrong: then nothing is verified. When
   * `verify` resolves to undefined the key was wrong and is counted; when it rejects nothing is counted and that rejects too.
   */
  checkKey<T>(address: string, verify: () => Promise<T | undefined>): Promise<Refusal | KeyChecked<T>>;
  /** Counts a request under the general limit, once, after its caller is known. */
  count(address: string): Promise<Refusal | Counted>;
  /** `degraded`: Redis is away, and each process counts for itself. */
  state(): 'ok' | 'degraded';
}

export interface KeyChecked<T> {
  readonly refused: false;
  /** What `verify` found; undefined for a wrong key. */
  readonly found: T | undefined;
  /** Set on the wrong key that closed the address to keys, to be reported with the request's origin. */
  readonly report?: 'key-guessing';
}

export interface Counted {
  readonly refused: false;
  /** For the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface AddressLimiterConfig {
  /** Default 100 in 60 s. */
  readonly general?: WindowLimit;
  /** How long a breach of the general limit blocks. Default 5 minutes. */
  readonly blockMs?: number;
  /** Wrong keys after which an address is asked for none any more, for as long as the window. Default 20 in 60 s. */
  readonly wrongKeys?: WindowLimit;
}

export interface AddressLimiterDeps {
  readonly shared: SharedState;
  readonly logger: { warn(fields: object, message: string): void; info(fields: object, message: string): void };
}
