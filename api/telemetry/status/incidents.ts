import { type Generated, type Selectable, sql } from 'kysely';
import type { ComponentState } from '#api/http/ports.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    statusIncidents: StatusIncidentsTable;
  }
}

/** A period in which a component did not work correctly. */
export interface StatusIncidentsTable {
  id: Generated<number>;
  component: string;
  /** The worst state in this period. */
  state: 'degraded' | 'down';
  startedAt: Generated<Date>;
  /** Null: the incident continues. */
  endedAt: Date | null;
}

export type Incident = Pick<Selectable<StatusIncidentsTable>, 'component' | 'state' | 'startedAt' | 'endedAt'>;

/** Minimum duration. A restart is not an incident. */
const MIN_SECONDS = 60;
const KEPT_DAYS = 90;
const SHOWN_DAYS = 14;
const MAX_SHOWN = 50;

/**
 * Records observed states. A failing component opens an incident; a working or removed component ends its incident.
 * Incidents shorter than a minute are deleted. Several processes may call it concurrently.
 */
export async function noteStates(db: Db, states: Readonly<Record<string, ComponentState>>): Promise<void> {
  const bad = Object.entries(states).flatMap(([component, state]) => (state === 'ok' ? [] : [{ component, state }]));
  if (bad.length > 0)
    await sql`
      INSERT INTO status_incidents AS known (component, state)
      SELECT * FROM unnest(${bad.map(({ component }) => component)}::text[], ${bad.map(({ state }) => state)}::text[])
      ON CONFLICT (component) WHERE ended_at IS NULL DO UPDATE
        SET state = CASE WHEN excluded.state = 'down' THEN 'down' ELSE known.state END`.execute(db);
  const isOver = sql`ended_at IS NULL AND component <> ALL (${bad.map(({ component }) => component)}::text[])`;
  await sql`
    WITH brief AS (
      DELETE FROM status_incidents
      WHERE ${isOver} AND started_at > now() - make_interval(secs => ${MIN_SECONDS})
    ),
    old AS (DELETE FROM status_incidents WHERE ended_at < now() - make_interval(days => ${KEPT_DAYS}))
    UPDATE status_incidents SET ended_at = now()
    WHERE ${isOver} AND started_at <= now() - make_interval(secs => ${MIN_SECONDS})`.execute(db);
}

/** Returns incidents of the last two weeks, latest first. */
export function recentIncidents(db: Db): Promise<Incident[]> {
  return db
    .selectFrom('statusIncidents')
    .select(['component', 'state', 'startedAt', 'endedAt'])
    .where((on) =>
      on.or([on('endedAt', 'is', null), on('endedAt', '>', sql<Date>`now() - make_interval(days => ${SHOWN_DAYS})`)]),
    )
    .orderBy('startedAt', 'desc')
    .limit(MAX_SHOWN)
    .execute();
}
