import { randomBytes } from 'node:crypto';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { getDetection } from '#analytics/clickhouse/read-models/detections.ts';
import type { Audit, AuditAction } from '#api/audit/port.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { DecisionChange } from '#schemas/api/detections.ts';
import {
  countOpenProposals,
  decideProposal,
  findProposal,
  insertProposal,
  type ProposalRow,
} from '../tables/detection-proposals.ts';
import { findAnalyst } from '../tables/detection-triage.ts';
import { type ChangeDecisions, type ChangedBy, NoSuchAnalyst } from '../triage/change-decisions.ts';

/** Maximum number of open proposals per detection. */
const MAX_OPEN = 20;

/**
 * `changed_meanwhile`: the decision changed after the analyst read it. `not_open`: the proposal was already accepted,
 * declined or replaced.
 */
export type ProposalProblem = 'not_found' | 'not_open' | 'too_many' | 'changed_meanwhile';

/** A proposal, or the decision about it, was refused. Nothing was written. */
export class ProposalRefused extends Error {
  override readonly name = 'ProposalRefused';
  readonly problem: ProposalProblem;

  constructor(problem: ProposalProblem) {
    super(problem);
    this.problem = problem;
  }
}

export interface Proposals {
  /** Stores a proposal without changing the decision. Rejects with `ProposalRefused` and `NoSuchAnalyst`. */
  propose(detectionId: string, change: DecisionChange, reason: string, by: ChangedBy): Promise<ProposalRow>;
  /** Makes the proposed change on behalf of the analyst. Rejects with `ProposalRefused` and `NoSuchAnalyst`. */
  accept(detectionId: string, id: string, ifMatch: string | undefined, by: ChangedBy): Promise<ProposalRow>;
  /** Declines a proposal. Rejects with `ProposalRefused`. */
  decline(detectionId: string, id: string, by: ChangedBy): Promise<ProposalRow>;
}

export interface ProposalsDeps {
  readonly clickhouse: ClickHouse;
  readonly database: Database;
  readonly audit: Audit;
  readonly changeDecisions: ChangeDecisions;
}

/** Creates the functions for proposals. Each writes an audit entry in the transaction of the change. */
export function createProposals({ clickhouse, database, audit, changeDecisions }: ProposalsDeps): Proposals {
  const record = (transaction: Db, action: AuditAction, { id, detectionId, change }: ProposalRow, by: ChangedBy) =>
    audit.record(transaction, {
      actor: by.actor,
      target: `detection:${detectionId}`,
      action,
      diff: { proposal: { after: id }, change: { after: change } },
      origin: by.origin,
    });

  async function decide(
    transaction: Db,
    id: string,
    state: 'accepted' | 'declined',
    by: ChangedBy,
  ): Promise<ProposalRow> {
    const row = await decideProposal(transaction, id, state, { actor: by.actor, username: by.username });
    if (row === undefined) throw new ProposalRefused('not_open');
    await record(transaction, state === 'accepted' ? 'proposal.accept' : 'proposal.decline', row, by);
    return row;
  }

  async function openOne(detectionId: string, id: string): Promise<ProposalRow> {
    const row = await findProposal(database, detectionId, id);
    if (row === undefined) throw new ProposalRefused('not_found');
    if (row.state !== 'open') throw new ProposalRefused('not_open');
    return row;
  }

  return {
    async propose(detectionId, change, reason, by) {
      if ((await getDetection(clickhouse, detectionId)) === undefined) throw new ProposalRefused('not_found');
      const { assignee } = change;
      if (typeof assignee === 'string' && (await findAnalyst(database, assignee)) === undefined)
        throw new NoSuchAnalyst('there is no enabled analyst or administrator of this name');
      const id = `prop_${randomBytes(16).toString('hex')}`;
      const { actor, username } = by;
      return inTransaction(database, async (transaction) => {
        const row = await insertProposal(transaction, { id, detectionId, actor, username, change, reason });
        if ((await countOpenProposals(transaction, detectionId)) > MAX_OPEN) throw new ProposalRefused('too_many');
        await record(transaction, 'proposal.create', row, by);
        return row;
      });
    },

    async accept(detectionId, id, ifMatch, by) {
      const { change } = await openOne(detectionId, id);
      let accepted: ProposalRow | undefined;
      // One transaction: if another analyst declines the proposal concurrently, the change is rolled back.
      await changeDecisions([{ id: detectionId, ifMatch }], change, by, async (transaction, [result]) => {
        if (result === undefined || result.outcome === 'not_found') throw new ProposalRefused('not_found');
        if (result.outcome === 'changed_meanwhile') throw new ProposalRefused('changed_meanwhile');
        accepted = await decide(transaction, id, 'accepted', by);
      });
      if (accepted === undefined) throw new ProposalRefused('not_found');
      return accepted;
    },

    async decline(detectionId, id, by) {
      await openOne(detectionId, id);
      return inTransaction(database, (transaction) => decide(transaction, id, 'declined', by));
    },
  };
}
