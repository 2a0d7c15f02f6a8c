import { type Generated, type Selectable, sql } from 'kysely';
import type { ComponentState } from '#api/http/ports.ts';
import type { Db } from '#api/postgres/database.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    statusIncidents: StatusIncidentsTable;
  }
}

/** A time in which a component did not work as it should. */
export interface StatusIncidentsTable {
  id: Generated<number>;
  component: string;
  /** The worst in this time. */
  state: 'degraded' | 'down';
  startedAt: Generated<Date>;
  /** Null: it goes on. */
  endedAt: Date | null;
}

export type Incident = Pick<Selectable<StatusIncidentsTable>, 'component' | 'state' | 'startedAt' | 'endedAt'>;

/** A restart is no incident. */
const MIN_SECONDS = 60;
const KEPT_DAYS = 90;
const SHOWN_DAYS = 14;
const MAX_SHOWN = 50;

/**
 * Notes states that were just observed: a component that does not work opens an incident, one that works, or that the installation does not have any more,
 * ends its own. Incidents shorter than a minute are not kept. Several processes may do so at the same time.
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

/** Incidents of the last two weeks, the latest first. */
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
