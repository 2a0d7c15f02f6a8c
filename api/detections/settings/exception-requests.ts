import { randomUUID } from 'node:crypto';
import { apiError } from '#api/http/api-error.ts';
import { entityTag, mayChange } from '#api/http/responses/entity-tag.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import type { AnalystExceptions } from '#schemas/api/exception-requests.ts';
import { type ExceptionPolicyRow, lockExceptionPolicy, saveExceptionPolicy } from '../tables/exception-policy.ts';
import {
  countOpenRequests,
  decideExceptionRequest,
  type ExceptionRequestRow,
  findExceptionRequest,
  insertExceptionRequest,
  type RequestDecision,
} from '../tables/exception-requests.ts';
import { lockSettings } from '../tables/rule-settings.ts';
import type { SettingsChangedBy } from './changed-by.ts';
import { addException, draftException, type ExceptionDraft, type ExceptionsDeps, silencedBy } from './exceptions.ts';

/** Maximum number of open requests of all analysts, and per analyst. */
const MAX_OPEN = 1_000;
const MAX_OPEN_OF_REQUESTER = 100;

/** The person or program that requests an exception or decides about a request. */
export interface RequestParty extends SettingsChangedBy {
  /** See `principalOf`: two keys of one account are the same party. */
  readonly principal: string;
  readonly username: string | null;
}

export interface ApprovedRequest {
  readonly request: ExceptionRequestRow;
  /** See `CreatedException`. */
  readonly silenced: number | null;
}

export interface ExceptionRequests {
  /** Creates a request. Rejects with a `ZodError` for an empty draft, and with the code `conflict` over the limits. */
  request(draft: ExceptionDraft, by: RequestParty, detectionId?: string): Promise<ExceptionRequestRow>;
  /**
   * Creates the exception. Rejects with `not_found`, with `conflict` if the request is not open, and with `forbidden`
   * for its requester.
   */
  approve(id: string, reason: string, by: RequestParty): Promise<ApprovedRequest>;
  /** Rejects the request. Its errors are those of `approve`. */
  reject(id: string, reason: string, by: RequestParty): Promise<ExceptionRequestRow>;
  /** Withdraws the request. Only the requester may do so. */
  withdraw(id: string, by: RequestParty): Promise<void>;
  /** Sets the policy for analysts. Undefined if it changed since `ifMatch`. */
  setPolicy(
    analysts: AnalystExceptions,
    by: SettingsChangedBy & { readonly ifMatch?: string | undefined },
  ): Promise<ExceptionPolicyRow | undefined>;
}

/**
 * Creates the functions for exception requests and for the policy that requires them. Each change is one transaction
 * with its audit entries.
 */
export function createExceptionRequests({ database, audit, base, changed }: ExceptionsDeps): ExceptionRequests {
  return {
    async request(draft, by, detectionId) {
      const id = `exr_${randomUUID().replaceAll('-', '')}`;
      const { hostname = null, program = null, file = null, rule = null, expires, reason } = draftException(draft, id);
      const fields = { hostname, program, file, rule, expires, reason, detectionId: detectionId ?? null };
      return inTransaction(database, async (transaction) => {
        // Serialises requests, so that the limits hold.
        await lockExceptionPolicy(transaction);
        const { open, own } = await countOpenRequests(transaction, by.principal);
        if (open >= MAX_OPEN || own >= MAX_OPEN_OF_REQUESTER)
          throw apiError(
            'conflict',
            `${open} requests are open, ${own} of them yours; the limits are ${MAX_OPEN} and ${MAX_OPEN_OF_REQUESTER}`,
          );
        const row = await insertExceptionRequest(transaction, {
          id,
          ...fields,
          requestedBy: by.actor,
          requester: by.principal,
          requesterName: by.username,
        });
        const diff = Object.fromEntries(
          Object.entries(fields)
            .filter(([, value]) => value !== null)
            .map(([name, value]) => [name, { after: value }]),
        );
        await audit.record(transaction, { ...entryOf(id, by), action: 'exception-request.create', diff });
        return row;
      });
    },

    async approve(id, reason, by) {
      const request = await inTransaction(database, async (transaction) => {
        // The same lock order as in every other change of settings, to prevent deadlocks.
        await lockSettings(transaction);
        const open = decidable(await findExceptionRequest(transaction, id), by);
        const exception = await addException(
          transaction,
          { audit, base },
          { draft: draftOf(open), by, detectionId: open.detectionId ?? undefined, requestId: id },
        );
        const decided = decisionBy(by, 'approved', reason);
        const row = await decideExceptionRequest(transaction, id, { ...decided, exceptionId: exception.id });
        if (row === undefined) throw notOpen();
        const diff = {
          state: { before: 'open', after: 'approved' },
          reason: { after: reason },
          exceptionId: { after: exception.id },
        };
        await audit.record(transaction, { ...entryOf(id, by), action: 'exception-request.approve', diff });
        return row;
      });
      return { request, silenced: await silencedBy(changed, request.exceptionId ?? '') };
    },

    reject: (id, reason, by) =>
      inTransaction(database, async (transaction) => {
        decidable(await findExceptionRequest(transaction, id), by);
        const decided = decisionBy(by, 'rejected', reason);
        const row = await decideExceptionRequest(transaction, id, { ...decided, exceptionId: null });
        if (row === undefined) throw notOpen();
        const diff = { state: { before: 'open', after: 'rejected' }, reason: { after: reason } };
        await audit.record(transaction, { ...entryOf(id, by), action: 'exception-request.reject', diff });
        return row;
      }),

    withdraw: (id, by) =>
      inTransaction(database, async (transaction) => {
        const row = await findExceptionRequest(transaction, id);
        if (row === undefined) throw unknownRequest();
        if (row.requester !== by.principal)
          throw apiError('forbidden', 'a request is withdrawn by its requester; others approve or reject it');
        const decided = decisionBy(by, 'withdrawn', null);
        if ((await decideExceptionRequest(transaction, id, { ...decided, exceptionId: null })) === undefined)
          throw notOpen();
        const diff = { state: { before: 'open', after: 'withdrawn' } };
        await audit.record(transaction, { ...entryOf(id, by), action: 'exception-request.withdraw', diff });
      }),

    setPolicy: (analysts, { actor, origin, ifMatch }) =>
      inTransaction(database, async (transaction) => {
        const before = await lockExceptionPolicy(transaction);
        if (!mayChange(ifMatch, entityTag(before.version))) return undefined;
        if (before.analysts === analysts) return before;
        const diff = { analysts: { before: before.analysts, after: analysts } };
        const target = 'exception-policy';
        await audit.record(transaction, { actor, origin, target, action: 'exception-policy.update', diff });
        return saveExceptionPolicy(transaction, analysts, actor);
      }),
  };
}

const entryOf = (id: string, { actor, origin }: RequestParty) => ({
  actor,
  origin,
  target: `exception-request:${id}`,
});

const decisionBy = <const State extends RequestDecision['state']>(
  { actor, username }: RequestParty,
  state: State,
  decisionReason: string | null,
) => ({
  state,
  decidedBy: actor,
  decidedByName: username,
  decisionReason,
});

/** Returns the request if this party may decide about it. */
function decidable(row: ExceptionRequestRow | undefined, { principal }: RequestParty): ExceptionRequestRow {
  if (row === undefined) throw unknownRequest();
  if (row.requester === principal)
    throw apiError('own_request', 'you requested this exception: another administrator has to decide');
  if (row.state !== 'open') throw notOpen();
  return row;
}

const unknownRequest = () => apiError('not_found', 'there is no such request');
const notOpen = () => apiError('conflict', 'the request is no longer open');

function draftOf({ hostname, program, file, rule, expires, reason }: ExceptionRequestRow): ExceptionDraft {
  return {
    ...(hostname === null ? {} : { hostname }),
    ...(program === null ? {} : { program }),
    ...(file === null ? {} : { file }),
    ...(rule === null ? {} : { rule }),
    expires,
    reason,
  };
}
