import { pathOf, type RequestOptions } from './call.ts';
import { exactJson } from './exact-json.ts';
import { iterateCursors } from './pages.ts';
import type { Transport } from './transport.ts';
import type {
  CursorPage,
  CursorParams,
  Detection,
  DetectionChange,
  DetectionCount,
  DetectionFilters,
  DetectionGrouping,
  DetectionGroups,
  DetectionOrder,
  DetectionWithEvidence,
  DetectorEvent,
  EventFilters,
  StoredEvent,
  SubmitEventsResponse,
} from './types/detection.ts';

/** A list that is paged by cursor, newest first, and stays the same while data comes in. */
interface CursorList<Item, One, Filters> {
  list(params?: Filters & CursorParams, options?: RequestOptions): Promise<CursorPage<Item>>;
  /** All of `list`, page by page. */
  iterate(params?: Filters, options?: RequestOptions): AsyncGenerator<Item, void, undefined>;
  get(id: string, options?: RequestOptions): Promise<One>;
}

/** Events of detectors. */
export interface Events extends CursorList<StoredEvent, StoredEvent, EventFilters> {
  /**
   * Hands V1 events in; resolves when they are durable. Some may have been rejected; rejects with a ServiceValidationError when all were, and with
   * a ServiceRateLimitError when the queue was full and nothing was taken.
   */
  submit(
    events: readonly DetectorEvent[],
    params?: { readonly idempotencyKey?: string | undefined },
    options?: RequestOptions,
  ): Promise<SubmitEventsResponse>;
}

/** Episodes the rules found; one comes with the newest of the events it rests on. */
export interface Detections extends CursorList<Detection, DetectionWithEvidence, DetectionFilters & DetectionOrder> {
  /** Decides about a detection; the last one wins. */
  update(id: string, change: DetectionChange, options?: RequestOptions): Promise<Detection>;
  /** Detections by program, host, rule or campaign, the worst group first. `limit`: groups, default 100. */
  groups(
    by: DetectionGrouping,
    params?: DetectionFilters & { readonly limit?: number | undefined },
    options?: RequestOptions,
  ): Promise<DetectionGroups>;
  /** How many detections the filters choose, exactly. */
  count(params?: DetectionFilters, options?: RequestOptions): Promise<DetectionCount>;
}

/** The catalogue of rules. */
export interface Rules {
  /** All rules with severity, ATT&CK techniques, thresholds and runbook. */
  list(options?: RequestOptions): Promise<{ readonly data: readonly Readonly<Record<string, unknown>>[] }>;
}

export function createEvents(transport: Transport): Events {
  return {
    ...cursorList<StoredEvent, StoredEvent>(transport, '/api/events'),
    submit: async (events, { idempotencyKey } = {}, options = {}) =>
      transport.json({
        method: 'POST',
        path: '/api/events',
        lines: events.map((event) => `${exactJson(event)}\n`).join(''),
        idempotencyKey,
        repeatable: 'by-key',
        ...options,
      }),
  };
}

export function createDetections(transport: Transport): Detections {
  const path = '/api/detections';
  return {
    ...cursorList<Detection, DetectionWithEvidence>(transport, path),
    update: async (id, json, options) => transport.json({ method: 'PATCH', path: path + pathOf(id), json, ...options }),
    groups: async (by, params = {}, options = {}) =>
      transport.json({ method: 'GET', path: `${path}/groups`, query: { ...params, by }, ...options }),
    count: async (params = {}, options = {}) =>
      transport.json({ method: 'GET', path: `${path}/count`, query: { ...params }, ...options }),
  };
}

export function createRules(transport: Transport): Rules {
  return { list: (options) => transport.json({ method: 'GET', path: '/api/rules', ...options }) };
}

function cursorList<Item, One>(
  transport: Transport,
  path: string,
): CursorList<Item, One, EventFilters & DetectionFilters & DetectionOrder> {
  const list: CursorList<Item, One, EventFilters & DetectionFilters & DetectionOrder>['list'] = (
    query = {},
    options = {},
  ) => transport.json({ method: 'GET', path, query: { ...query }, ...options });
  return {
    list,
    iterate: (params = {}, options) => iterateCursors((cursor) => list({ ...params, cursor, limit: 1000 }, options)),
    get: async (id, options) => transport.json({ method: 'GET', path: path + pathOf(id), ...options }),
  };
}
