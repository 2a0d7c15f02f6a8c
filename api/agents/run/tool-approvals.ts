import { AgentWait } from '#api/executions/engine/worker/agent-run.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { listDecisions } from '#api/executions/tables/execution-decisions.ts';
import type { Database } from '#api/postgres/database.ts';
import type { Permissions } from '../permissions/decide-tool.ts';
import type { RunClaim } from '../tables/agent-run-calls.ts';
import { askOnce } from '../tables/agent-tool-approvals.ts';
import type { JournalEntry } from './journal.ts';
import { redactArguments } from './redact-arguments.ts';

/** Thrown to suspend the run until a decision about a call. */
export class ApprovalNeeded extends Error {
  override readonly name = 'ApprovalNeeded';
  readonly wait: AgentWait;

  constructor(wait: AgentWait) {
    super('the run waits for a decision');
    this.wait = wait;
  }
}

/** `declined`: a message for the agent. */
export type ApprovalOutcome = { readonly approved: true } | { readonly approved: false; readonly declined: string };

/** Returns whether a person has approved a call. Rejects with `ApprovalNeeded` while the decision is open. */
export type AskPerson = (tool: string, given: JsonValue, entry: JournalEntry) => Promise<ApprovalOutcome>;

/** Maximum size of the arguments shown to approvers. */
const MAX_SHOWN = 16_384;
/** Type of the event that resumes a run. Only decisions of the service are delivered with it. */
const EVENT_TYPE = 'agent.tool-call.decided';

export function createAskPerson(
  { database, redact }: { readonly database: Database; readonly redact: (text: string) => string },
  claim: RunClaim,
  { policy, expiresAfterSeconds }: Permissions,
): AskPerson {
  return async (tool, given, { ordinal, hash }) => {
    // The decision is bound to the call: different arguments at the same position are another wait.
    const wait = `tool-${ordinal}-${hash.slice(0, 32)}`;
    const shown = JSON.stringify(redactArguments(given, redact), null, 2);
    const asked = { wait, tool, arguments: shown.slice(0, MAX_SHOWN), truncated: shown.length > MAX_SHOWN };
    const open = await askOnce(database, claim, asked, expiresAfterSeconds);
    if (open === undefined) throw new Error('the lease of the execution is lost');
    const decision = (await listDecisions(database, claim.executionId, wait)).find(({ final }) => final);
    if (decision?.approved === true) return { approved: true };
    if (decision !== undefined) {
      const why = decision.note === null ? '' : `: ${decision.note}`;
      return { approved: false, declined: `a person declined this call of ${tool}${why}` };
    }
    if (open.expired) return { approved: false, declined: `no person approved this call of ${tool} in time` };
    const filter = { with: { type: EVENT_TYPE, subject: claim.executionId }, correlate: {} };
    throw new ApprovalNeeded(
      new AgentWait({ wait, step: `tool:${tool}`, filter, approval: policy, until: open.expiresAt }),
    );
  };
}
