import { sql } from 'kysely';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';
import type { AgentExecution, FeedbackRating, FeedbackStatus } from './agent-executions.ts';

/** Author of feedback. */
export interface FeedbackAuthor {
  /** Id of the user, or `operator`. */
  readonly actor: string;
  readonly email: string | null;
  /** Set for a user with a session. */
  readonly sessionId: string | null;
}

/** Undefined members are unchanged. */
export interface FeedbackChange {
  readonly body?: string | undefined;
  readonly rating?: FeedbackRating | null | undefined;
  readonly status?: FeedbackStatus | undefined;
  /** Null removes the expectation. */
  readonly expected?: JsonValue | undefined;
}

/**
 * Changes the feedback of an execution, which must be locked. Feedback begins as `open` with the first body, rating or
 * status. Expectations are stored even without feedback. Each change to `resolved` records who resolved it. Leaving
 * that state deletes the record.
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
  if (!exists && expected === undefined) return; // there was never any feedback, and this change adds none
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

/** Deletes all feedback and expectations of an execution. An example that it was promoted to remains. */
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
