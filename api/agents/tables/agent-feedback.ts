import { sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';
import type { AgentExecution, FeedbackRating, FeedbackStatus } from './agent-executions.ts';

/** Who says something. */
export interface FeedbackAuthor {
  /** Id of the user, or `operator`. */
  readonly actor: string;
  readonly email: string | null;
  /** Of a person with a session. */
  readonly sessionId: string | null;
}

/** What is undefined stays. */
export interface FeedbackChange {
  readonly body?: string | undefined;
  readonly rating?: FeedbackRating | null | undefined;
  readonly status?: FeedbackStatus | undefined;
  /** null: nothing is expected any more. */
  readonly expected?: JsonValue | undefined;
}

/**
 * Changes what is said of an execution, which has to be locked. Feedback begins with the first body, rating or status, as `open`; what is expected
 * is kept without it, too. Each time it becomes `resolved`, who resolved it is written down; leaving that state forgets it.
 */
export async function changeFeedback(
  db: Db,
  before: AgentExecution,
  change: FeedbackChange,
  author: FeedbackAuthor,
): Promise<void> {
  const { body, rating, status, expected } = change;
  const says = body !== undefined || rating !== undefined || status !== undefined;
  const begins = says && before.feedbackCreatedAt === null;
  const exists = begins || before.feedbackCreatedAt !== null;
  if (!exists && expected === undefined) return; // nothing was ever said, and nothing is now
  const next = status ?? before.feedbackStatus ?? 'open';
  const now = sql<Date>`clock_timestamp()`;
  await db
    .updateTable('agentExecutions')
    .set({
      ...(expected === undefined ? {} : { expected: expected === null ? null : JSON.stringify(expected) }),
      ...(exists ? { feedbackUpdatedAt: now } : {}),
      ...(says ? { feedbackStatus: next, feedbackBody: body ?? before.feedbackBody ?? '' } : {}),
      ...(rating === undefined ? {} : { feedbackRating: rating }),
      ...(begins
        ? { feedbackCreatedAt: now, feedbackCreatedBy: author.actor, feedbackCreatedByEmail: author.email }
        : {}),
      ...(says && next === 'resolved' && before.feedbackStatus !== 'resolved'
        ? {
            feedbackResolvedAt: now,
            feedbackResolvedBy: author.actor,
            feedbackResolvedByEmail: author.email,
            feedbackResolvedBySessionId: author.sessionId,
          }
        : {}),
      ...(says && next !== 'resolved' ? UNRESOLVED : {}),
    })
    .where('executionId', '=', before.executionId)
    .execute();
}

const UNRESOLVED = {
  feedbackResolvedAt: null,
  feedbackResolvedBy: null,
  feedbackResolvedByEmail: null,
  feedbackResolvedBySessionId: null,
};

/** Takes back all that was said of an execution and what is expected of it; an example it was promoted to stays. */
export async function clearFeedback(db: Db, executionId: string): Promise<void> {
  await db
    .updateTable('agentExecutions')
    .set({
      ...UNRESOLVED,
      feedbackRating: null,
      feedbackStatus: null,
      feedbackBody: null,
      feedbackCreatedAt: null,
      feedbackCreatedBy: null,
      feedbackCreatedByEmail: null,
      feedbackUpdatedAt: null,
      expected: null,
      expectedFiles: 0,
    })
    .where('executionId', '=', executionId)
    .execute();
}
