import type { JsonValue } from '../../json-value.ts';

/** CloudEvents 1.0, JSON format. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly data?: JsonValue;
  readonly [extension: string]: JsonValue | undefined;
}

/** Prefix of event types reserved for the service, in lower case. Callers and workflows cannot send them. */
export const OWN_TYPES = 'trapline.';

/**
 * Attributes that an event must have, and its correlation with the run. A router may filter by some attributes only
 * (type, source) and deliver too many events. The interpreter checks each event against the whole filter
 * (`event-match.ts`) and keeps waiting if it does not match. So a wait stays open until `stop-listening`.
 */
export interface EventFilter {
  /**
   * Attribute → exact value, or a regular expression if the definition has one. `data` may be an expression that must
   * be true for the data.
   */
  readonly with: Readonly<Record<string, JsonValue>>;
  /** Correlation name → expected value of the expression `from`, which is evaluated on the event. */
  readonly correlate: Readonly<Record<string, { readonly from: string; readonly expect?: JsonValue }>>;
}
