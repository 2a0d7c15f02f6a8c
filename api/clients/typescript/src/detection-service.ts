import { pathOf, type QueryValue, type RequestOptions } from './call.ts';
import { type Comments, createComments, createLinkedExecutions, type LinkedExecutions } from './comments.ts';
import { type List, listBy } from './cursor-list.ts';
import type { Download } from './download.ts';
import { exactJson, parseExactJson } from './exact-json.ts';
import { isPassing, readEvents } from './follow.ts';
import { pause } from './idle-timeout.ts';
import { iterateCursors } from './pages.ts';
import {
  type AnswerOf,
  type BodyOf,
  type ChangeOptions,
  createRoutes,
  type QueryOf,
  type Routes,
  type Versioned,
} from './routes.ts';
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

/** A list with cursors, newest first. It stays consistent while new data arrives. */
interface CursorList<Item, One, Filters> {
  list(params?: Filters & CursorParams, options?: RequestOptions): Promise<CursorPage<Item>>;
  /** Iterates over all items of `list`, page by page. */
  iterate(params?: Filters, options?: RequestOptions): AsyncGenerator<Item, void, undefined>;
  get(id: string, options?: RequestOptions): Promise<One>;
  /** Downloads all items that match the filters, in one format. */
  export(format: ExportFormat, params?: Filters, options?: RequestOptions): Promise<Download>;
}

/** Proposed changes of decisions. Analysts accept or decline them in the console; keys cannot. */
export interface Proposals {
  list(
    detectionId: string,
    params?: QueryOf<'/api/detections/{id}/proposals'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/detections/{id}/proposals', 'get'>>;
  create(
    detectionId: string,
    proposal: BodyOf<'/api/detections/{id}/proposals', 'post'>,
    options?: RequestOptions,
  ): Promise<Proposal>;
}

type Proposal = AnswerOf<'/api/detections/{id}/proposals', 'post'>;
type StreamFilters = Omit<QueryOf<'/api/detections/stream'>, 'lastEventId'>;

export interface DetectionStreamParams extends StreamFilters {
  readonly after?: string | undefined;
}

/** `missed`: the client missed more than the service stores; read the list. */
export type DetectionStreamEvent =
  | { readonly event: 'detection' | 'decision'; readonly id: string; readonly detection: Detection }
  | { readonly event: 'missed'; readonly id: string };

/** Formats of an export. */
export type ExportFormat = 'ndjson' | 'csv' | 'v1' | 'ecs' | 'cef' | 'ocsf' | 'parquet';

/** Events of detectors. */
export interface Events extends CursorList<StoredEvent, StoredEvent, EventFilters> {
  /**
   * Submits V1 events and resolves when they are durable. Some may have been rejected. Rejects with a
   * ServiceValidationError if all were rejected. Rejects with a ServiceRateLimitError if the queue is full; then
   * nothing was accepted.
   */
  submit(
    events: readonly DetectorEvent[],
    params?: { readonly idempotencyKey?: string | undefined },
    options?: RequestOptions,
  ): Promise<SubmitEventsResponse>;
  /** Returns counts over time, by type, host, program and file. */
  summary(params?: EventFilters, options?: RequestOptions): Promise<AnswerOf<'/api/events/summary', 'get'>>;
}

/** Episodes that the rules found. A single detection includes its newest evidence. */
export interface Detections
  extends CursorList<Detection, Versioned<DetectionWithEvidence>, DetectionFilters & DetectionOrder> {
  readonly comments: Comments;
  readonly executions: LinkedExecutions;
  readonly proposals: Proposals;
  /** Returns one detection with its evidence. `etag` identifies the version of its decision. */
  get(id: string, options?: RequestOptions): Promise<Versioned<DetectionWithEvidence>>;
  /** Changes the decision about a detection. Without `ifMatch`, the last change wins. */
  update(id: string, change: DetectionChange, options?: ChangeOptions): Promise<Versioned<Detection>>;
  /** Changes the decisions about many detections: up to 1,000 by id, or those of a filter, page by page. */
  updateAll(
    body: BodyOf<'/api/detections/bulk', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/detections/bulk', 'post'>>;
  /** Reverts changes. Detections that have changed again are skipped. */
  undo(
    body: BodyOf<'/api/detections/undo', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/detections/undo', 'post'>>;
  /** Returns the changes of the decision about a detection, with their actors. */
  history(
    id: string,
  ): List<
    AnswerOf<'/api/detections/{id}/history', 'get'>['data'][number],
    QueryOf<'/api/detections/{id}/history'>,
    AnswerOf<'/api/detections/{id}/history', 'get'>
  >;
  /** Returns the risk signs of an alert. */
  signs(id: string, options?: RequestOptions): Promise<AnswerOf<'/api/detections/{id}/signs', 'get'>>;
  /** Returns a detection as Markdown. */
  markdown(id: string, options?: RequestOptions): Promise<Download>;
  /** Returns counts over time, by rule, host and program. */
  summary(params?: DetectionFilters, options?: RequestOptions): Promise<AnswerOf<'/api/detections/summary', 'get'>>;
  /**
   * Streams new and growing detections, and decisions about them. A broken connection is restored after the last event.
   * Delivery is at least once; `id` and `revision` identify duplicates. `after`: the position to resume from.
   */
  stream(
    params?: DetectionStreamParams,
    options?: RequestOptions,
  ): AsyncGenerator<DetectionStreamEvent, void, undefined>;
  /**
   * Returns groups of detections by program, host, rule or campaign, the worst group first. `limit`: number of groups,
   * default 100.
   */
  groups(
    by: DetectionGrouping,
    params?: DetectionFilters & { readonly limit?: number | undefined },
    options?: RequestOptions,
  ): Promise<DetectionGroups>;
  /** Returns the exact number of detections that match the filters. */
  count(params?: DetectionFilters, options?: RequestOptions): Promise<DetectionCount>;
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
    summary: (query, options) => createRoutes(transport).json('get', '/api/events/summary', { query, ...options }),
  };
}

export function createDetections(transport: Transport): Detections {
  const routes = createRoutes(transport);
  const path = '/api/detections';
  const one = '/api/detections/{id}';
  return {
    ...cursorList<Detection, DetectionWithEvidence>(transport, path),
    update: async (id, json, options) => transport.json({ method: 'PATCH', path: path + pathOf(id), json, ...options }),
    comments: createComments(routes, 'detections'),
    executions: createLinkedExecutions(routes, 'detections'),
    proposals: createProposals(routes),
    // With an expected state, a second request changes nothing.
    updateAll: (json, options) => routes.json('post', `${path}/bulk`, { json, ...options }),
    undo: (json, options) => routes.json('post', `${path}/undo`, { json, repeatable: 'always', ...options }),
    history: (id) =>
      listBy((query, options) => routes.json('get', `${one}/history`, { path: [id], query, ...options })),
    signs: (id, options) => routes.json('get', `${one}/signs`, { path: [id], ...options }),
    markdown: (id, options) => routes.download(`${one}/markdown`, { path: [id], ...options }),
    summary: (query, options) => routes.json('get', `${path}/summary`, { query, ...options }),
    stream: (params, options) => streamDetections(transport, params, options),
    groups: async (by, params = {}, options = {}) =>
      transport.json({ method: 'GET', path: `${path}/groups`, query: { ...params, by }, ...options }),
    count: async (params = {}, options = {}) =>
      transport.json({ method: 'GET', path: `${path}/count`, query: { ...params }, ...options }),
  };
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
    export: (format, params = {}, options = {}) =>
      transport.download({ method: 'GET', path, query: { ...params, format }, ...options }),
  };
}

function createProposals(routes: Routes): Proposals {
  const all = '/api/detections/{id}/proposals';
  return {
    list: (id, query, options) => routes.json('get', all, { path: [id], query, ...options }),
    create: (id, json, options) => routes.json('post', all, { path: [id], json, ...options }),
  };
}

const AGAIN_MS = 2000;

async function* streamDetections(
  transport: Transport,
  { after, ...filters }: DetectionStreamParams = {},
  { signal }: RequestOptions = {},
): AsyncGenerator<DetectionStreamEvent, void, undefined> {
  for (let last = after, reached = false; ; await pause(AGAIN_MS, signal)) {
    try {
      const query = { ...filters, lastEventId: last } as Readonly<Record<string, QueryValue>>;
      const { stream } = await transport.download({ method: 'GET', path: '/api/detections/stream', query, signal });
      reached = true;
      for await (const { id, event, data } of readEvents(stream)) {
        last = id || last;
        if (event === 'end') break;
        if (event === 'missed') yield { event, id };
        else if (event === 'detection' || event === 'decision')
          yield { event, id, detection: parseExactJson(data) as Detection };
      }
    } catch (error) {
      if (!reached || !isPassing(error)) throw error;
    }
  }
}
