import { type ColumnType, type Generated, type Selectable, sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { DecisionChange, ProposalState } from '#schemas/api/detections.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    detectionProposals: DetectionProposalsTable;
  }
}

/** Proposed changes of decisions. Each proposer has at most one open proposal per detection. */
export interface DetectionProposalsTable {
  id: string;
  detectionId: string;
  createdAt: Generated<Date>;
  /** The proposer; see `actorOf`. */
  actor: string;
  /** User name of the account at the time of the proposal. */
  username: string | null;
  change: ColumnType<DecisionChange, string, never>;
  reason: string;
  state: Generated<ProposalState>;
  decidedAt: Date | null;
  decidedBy: string | null;
  decidedUsername: string | null;
}
export type ProposalRow = Selectable<DetectionProposalsTable>;

/** The actor of a decision about a proposal. */
export interface DecidedBy {
  readonly actor: string;
  readonly username: string | null;
}

/** Inserts a proposal. The open proposal of the same proposer becomes `replaced`. */
export async function insertProposal(
  transaction: Db,
  { change, ...row }: Pick<ProposalRow, 'id' | 'detectionId' | 'actor' | 'username' | 'change' | 'reason'>,
): Promise<ProposalRow> {
  // Serialises concurrent calls, which would otherwise both find no open proposal.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`proposals/${row.detectionId}`}, 0))`.execute(transaction);
  await transaction
    .updateTable('detectionProposals')
    .set({
      state: 'replaced',
      decidedAt: sql<Date>`clock_timestamp()`,
      decidedBy: row.actor,
      decidedUsername: row.username,
    })
    .where('detectionId', '=', row.detectionId)
    .where('actor', '=', row.actor)
    .where('state', '=', 'open')
    .execute();
  return transaction
    .insertInto('detectionProposals')
    .values({ ...row, change: JSON.stringify(change) })
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function countOpenProposals(db: Db, detectionId: string): Promise<number> {
  const { count } = await db
    .selectFrom('detectionProposals')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('detectionId', '=', detectionId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function findProposal(db: Db, detectionId: string, id: string): Promise<ProposalRow | undefined> {
  return db
    .selectFrom('detectionProposals')
    .selectAll()
    .where('detectionId', '=', detectionId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Lists proposals for a detection, newest first. */
export function listProposals(
  db: Db,
  detectionId: string,
  { states, limit }: { readonly states?: readonly ProposalState[] | undefined; readonly limit: number },
): Promise<ProposalRow[]> {
  return db
    .selectFrom('detectionProposals')
    .selectAll()
    .where('detectionId', '=', detectionId)
    .$if(states !== undefined, (query) => query.where('state', 'in', [...(states ?? [])]))
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Closes an open proposal. Undefined if it is no longer open. */
export function decideProposal(
  transaction: Db,
  id: string,
  state: 'accepted' | 'declined',
  by: DecidedBy,
): Promise<ProposalRow | undefined> {
  return transaction
    .updateTable('detectionProposals')
    .set({ state, decidedAt: sql<Date>`clock_timestamp()`, decidedBy: by.actor, decidedUsername: by.username })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .returningAll()
    .executeTakeFirst();
}
