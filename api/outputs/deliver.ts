import type { FastifyBaseLogger } from 'fastify';
import { redactText } from '#api/http/redact.ts';
import type { Database } from '#api/postgres/database.ts';
import { parseStoredDetection } from '#schemas/stored-detection.ts';
import { readStoredTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { type Output, OutputFailure, type OutputMessage } from './port.ts';
import { retryAfterMs } from './retry-after.ts';
import {
  insertRefusal,
  type OutputDeadLetter,
  settleDeadLetter,
  waitingDeadLetters,
} from './tables/output-dead-letters.ts';
import { lastMessage, nextMessages, type StoredOutputMessage } from './tables/output-messages.ts';
import { advanceOutput, type OutputRow, postponeOutput, releaseOutput } from './tables/outputs.ts';

/*
 * One time slice of a claimed output:
 *
 *   dead letters to resend, one by one, then messages after the cursor, in order
 *     ├─ accepted            the cursor moves, and the lease is extended
 *     ├─ refused             the message becomes a dead letter, and the cursor moves
 *     ├─ not accepted        the lease is released, with a delay before the retry; no later message is sent
 *     └─ keeps failing       refused, if the receiver accepts the next message and fails again on this one
 *   no message left          the cursor moves to the end of the journal, past filtered messages
 *
 * Every write checks the epoch (fencing token) of the claim. If the process dies, its last delivery is repeated.
 */

export interface SliceDeps {
  readonly database: Database;
  readonly logger: Pick<FastifyBaseLogger, 'warn' | 'error'>;
  /** Called with the outcome of messages. */
  readonly count: (outcome: 'delivered' | 'refused' | 'failed', messages: number) => void;
  /** Called with the delay of each newly delivered message. */
  readonly delivered: (seconds: number, trace: TraceContext | undefined) => void;
}

export interface SliceConfig {
  /** Time limit of a delivery, ms; shorter than the lease. */
  readonly deliveryMs: number;
  readonly leaseMs: number;
  /** Maximum time between two attempts, ms. */
  readonly maxPauseMs: number;
  /** After this number of attempts, a test determines whether the receiver is unavailable or rejects only this message. */
  readonly blockedTries: number;
}

export interface SliceSignals {
  /** Aborts when the process stops: no further delivery begins. */
  readonly stopping: AbortSignal;
  /**
   * Aborts some time later and ends the delivery in flight. Until then the delivery may finish, because the receiver
   * would otherwise get the message again.
   */
  readonly cutting: AbortSignal;
}

const READ_BATCH_SIZE = 200;

/** Another process has claimed the output, or its definition changed. */
class ClaimLost extends Error {
  override readonly name = 'ClaimLost';
}

/**
 * Delivers messages until none is left, the receiver fails, or `stopping` aborts. `open` creates the receiver. Rejects
 * if PostgreSQL fails; the lease then expires.
 * Long: its functions share the position and the failures of one time slice.
 */
export async function deliverForSlice(
  { database, logger, count, delivered }: SliceDeps,
  { deliveryMs, leaseMs, maxPauseMs, blockedTries }: SliceConfig,
  row: OutputRow,
  open: () => Output,
  { stopping, cutting }: SliceSignals,
): Promise<void> {
  // True after a delivery in this time slice: a later failure then starts a new count of attempts.
  let progressed = false;
  // Failed attempts of the first message; later messages have not been tried.
  let tries = row.attempts;
  let reached = row.cursor;
  try {
    // Verifies the claim, because this process may have been delayed since; see also `serve` of `startOutputs`.
    await advance(row.cursor, 0);
    const output = open();
    await sendAgain(output);
    await sendNew(output);
    await releaseOutput(database, row);
  } catch (error) {
    if (error instanceof ClaimLost) return;
    if (stopping.aborted) return releaseOutput(database, row);
    if (!(error instanceof OutputFailure)) throw error;
    const { attempts } = row;
    const delayMs = retryAfterMs(progressed ? 1 : attempts + 1, { maxPauseMs, asked: error.retryAfterMs });
    count('failed', 1);
    logger.warn({ output: row.id, type: row.type, reason: error.message, delayMs }, 'cannot deliver, retry scheduled');
    await postponeOutput(database, row, { error: redactText(error.message), delayMs });
  }

  async function sendAgain(output: Output): Promise<void> {
    while (!stopping.aborted) {
      const letters = await waitingDeadLetters(database, row.id, READ_BATCH_SIZE);
      for (const letter of letters) {
        const failure = await deliver(output, [ofDeadLetter(letter)]);
        // A resent message that keeps failing is refused again and stays a dead letter. No message waits for it.
        if (failure?.kind === 'temporary' && !(failure.answered && tries + 1 >= blockedTries)) throw failure;
        await advance(row.cursor, failure === undefined ? 1 : 0);
        const state = failure === undefined ? 'delivered' : 'refused';
        await settleDeadLetter(database, letter.id, state, failure && redactText(failure.message));
      }
      if (letters.length < READ_BATCH_SIZE) return;
    }
  }

  async function sendNew(output: Output): Promise<void> {
    let after = row.cursor;
    while (!stopping.aborted) {
      const last = await lastMessage(database);
      const stored = await nextMessages(database, { after, last }, row.filter, READ_BATCH_SIZE);
      let at = 0;
      while (at < stored.length && !stopping.aborted)
        at += await sendSome(output, stored.slice(at, at + output.maxBatch), stored.slice(at));
      if (at < stored.length) return;
      after = stored.length < READ_BATCH_SIZE ? last : (stored.at(-1)?.seq ?? last);
      if (after > (stored.at(-1)?.seq ?? 0)) await advance(after, 0);
      if (stored.length < READ_BATCH_SIZE) return;
    }
  }

  /** Sends a batch. Resolves to the number of messages that were delivered or refused. */
  async function sendSome(
    output: Output,
    slice: readonly StoredOutputMessage[],
    rest: readonly StoredOutputMessage[],
  ): Promise<number> {
    const failure = await deliver(output, slice.map(ofStored));
    const taken = failure === undefined ? slice.length : Math.min(failure.delivered, slice.length - 1);
    const lastTaken = slice[taken - 1];
    for (const { at, trace } of slice.slice(0, taken))
      delivered((Date.now() - at.getTime()) / 1_000, readStoredTrace(trace));
    if (lastTaken !== undefined) await advance(lastTaken.seq, taken);
    if (failure === undefined) return taken;
    const refused = slice[taken];
    if (refused === undefined) throw failure;
    if (failure.kind === 'temporary') {
      if (!(await passBy(output, refused, rest[taken + 1], failure))) throw failure;
      return taken + 2;
    }
    // A receiver can refuse a batch for its size. Only a message that it refuses alone is refused.
    if (slice.length > 1) return taken + (await sendSome(output, [refused], rest.slice(taken)));
    await refuse(refused, failure);
    return taken + 1;
  }

  /**
   * Tests whether only the first message fails. An unavailable receiver accepts nothing, but a receiver that fails on
   * one message accepts the next. If it accepts the next message and fails again on the first, the first is refused.
   * Returns true if both messages are settled. If the receiver accepts the first after all, the two arrived in the
   * wrong order.
   */
  async function passBy(
    output: Output,
    message: StoredOutputMessage,
    behind: StoredOutputMessage | undefined,
    { answered }: OutputFailure,
  ): Promise<boolean> {
    if (!answered || behind === undefined || tries + 1 < blockedTries) return false;
    if ((await deliver(output, [ofStored(behind)])) !== undefined) return false;
    const failure = await deliver(output, [ofStored(message)]);
    if (failure?.kind === 'temporary' && !failure.answered) return false;
    if (failure !== undefined) await refuse(message, failure);
    await advance(behind.seq, failure === undefined ? 2 : 1);
    return true;
  }

  async function deliver(output: Output, batch: readonly OutputMessage[]): Promise<OutputFailure | undefined> {
    const signal = AbortSignal.any([cutting, AbortSignal.timeout(deliveryMs)]);
    try {
      await output.deliver(batch, signal);
      count('delivered', batch.length);
      return undefined;
    } catch (error) {
      if (error instanceof OutputFailure) {
        if (error.delivered > 0) count('delivered', error.delivered);
        return error;
      }
      logger.error({ output: row.id, type: row.type, err: error }, 'output failed unexpectedly');
      return new OutputFailure('temporary', 'unexpected error: see the server log', { cause: error });
    }
  }

  async function advance(cursor: number, delivered: number): Promise<void> {
    if (!(await advanceOutput(database, row, { cursor, delivered, leaseMs }))) throw new ClaimLost();
    progressed ||= delivered > 0;
    if (delivered > 0 || cursor > reached) tries = 0;
    reached = Math.max(reached, cursor);
  }

  /**
   * Inserts the dead letter before the cursor moves. If the process dies in between, the message is refused again and
   * yields the same dead letter.
   */
  async function refuse(message: StoredOutputMessage, failure: OutputFailure): Promise<void> {
    const { seq, detectionId, revision, cause, detection, at } = message;
    const reason = redactText(failure.message);
    await insertRefusal(database, {
      outputId: row.id,
      seq,
      detectionId,
      revision,
      cause,
      detection,
      toldAt: at,
      reason,
    });
    await advance(seq, 0);
    count('refused', 1);
  }
}

function ofStored({ seq, cause, detection, at, trace }: StoredOutputMessage): OutputMessage {
  return { seq, cause, at, detection: parseStoredDetection(detection), trace: readStoredTrace(trace) };
}

function ofDeadLetter({ seq, cause, detection, toldAt }: OutputDeadLetter): OutputMessage {
  return { seq, cause, at: toldAt, detection: parseStoredDetection(detection) };
}
