import { setTimeout as delay } from 'node:timers/promises';
import { componentStates } from '#api/http/component-states.ts';
import type { ComponentChecks, ComponentState } from '#api/http/ports.ts';
import type { Database } from '#api/postgres/database.ts';
import { type Incident, recentIncidents } from './incidents.ts';

export interface IngestStatus {
  /** Records of the events topic that are not stored yet. Null without Kafka, and while it does not respond. */
  readonly lagRecords: number | null;
  /** When the latest event was stored, epoch milliseconds. Null: not within a day. */
  readonly lastEventMs: number | null;
}

export interface StatusDeps {
  readonly database: Database;
  /** Components of the whole installation, not of one process. */
  readonly components: ComponentChecks;
  /** Rejects while a store is unavailable. */
  readonly ingest: () => Promise<IngestStatus>;
}

/** State of the installation. It is public, so it contains no hosts, versions, names or error texts. */
export interface Status {
  readonly status: ComponentState;
  readonly checkedMs: number;
  readonly components: readonly {
    readonly name: string;
    readonly state: ComponentState;
    /** When the state began, epoch milliseconds. Null: no other state was recorded in the last two weeks. */
    readonly sinceMs: number | null;
  }[];
  readonly ingest: IngestStatus;
  readonly incidents: readonly Incident[];
}

/** Minimum interval of queries to the stores, whatever the number of readers. */
const CACHE_MS = 10_000;
const STORE_MS = 2_000;
const UNKNOWN: IngestStatus = { lagRecords: null, lastEventMs: null };

/** Creates a function that reads the status of the installation. It never rejects. */
export function createStatus(deps: StatusDeps, { cacheMs = CACHE_MS } = {}): () => Promise<Status> {
  let known: { readonly untilMs: number; readonly status: Promise<Status> } | undefined;
  return () => {
    const now = performance.now();
    if (known === undefined || now >= known.untilMs) known = { untilMs: now + cacheMs, status: readStatus(deps) };
    return known.status;
  };
}

async function readStatus({ database, components, ingest }: StatusDeps): Promise<Status> {
  const [states, ingestStatus, incidents] = await Promise.all([
    componentStates(components),
    within(ingest, UNKNOWN),
    within(() => recentIncidents(database), []),
  ]);
  return statusOf({ states, ingest: ingestStatus, incidents, nowMs: Date.now() });
}

/** Combines the observations into a status. */
export function statusOf({
  states,
  ingest,
  incidents,
  nowMs,
}: {
  readonly states: Readonly<Record<string, ComponentState>>;
  readonly ingest: IngestStatus;
  readonly incidents: readonly Incident[];
  readonly nowMs: number;
}): Status {
  const components = Object.entries(states).map(([name, state]) => ({
    name,
    state,
    sinceMs: sinceOf(
      state,
      incidents.filter(({ component }) => component === name),
    ),
  }));
  const all = components.map(({ state }) => state);
  const status = all.includes('down') ? 'down' : all.includes('degraded') ? 'degraded' : 'ok';
  return { status, checkedMs: nowMs, components, ingest, incidents };
}

/** `incidents` are those of the component. A failure without a recorded incident has no start time. */
function sinceOf(state: ComponentState, incidents: readonly Incident[]): number | null {
  const open = incidents.find(({ endedAt }) => endedAt === null);
  if (state !== 'ok') return open?.startedAt.getTime() ?? null;
  const ends = incidents.flatMap(({ endedAt }) => endedAt?.getTime() ?? []);
  return ends.length === 0 ? null : Math.max(...ends);
}

async function within<T>(ask: () => Promise<T>, otherwise: T): Promise<T> {
  try {
    return await Promise.race([ask(), delay(STORE_MS, otherwise, { ref: false })]);
  } catch {
    return otherwise;
  }
}

/** The alert TraplineIngestBehind fires above this number of records. */
const BEHIND_RECORDS = 100_000;
/** If nothing was stored for this time while records wait, no process reads them, or ClickHouse accepts none. */
const STALLED_MS = 300_000;

/** Returns the state of ingest from its figures. */
export function judgeIngest({ lagRecords, lastEventMs }: IngestStatus, nowMs: number): ComponentState {
  const lag = lagRecords ?? 0;
  if (lag > 0 && nowMs - (lastEventMs ?? 0) > STALLED_MS) return 'down';
  return lag > BEHIND_RECORDS ? 'degraded' : 'ok';
}
