import type { RecordIdentity } from '#schemas/topics.ts';
import type { SubmitEvents } from '../http/submission.ts';
import { type DecodeLimits, decodeRecord } from '../pipeline/decode.ts';
import type { Validate } from '../pipeline/validate.ts';

/** A stored dead letter. */
export interface StoredDeadLetter {
  readonly id: string;
  readonly identity: RecordIdentity;
  /** The original bytes, including a registry frame. */
  readonly raw: Buffer;
  readonly redriven: boolean;
}

/** The outcome of redriving one dead letter. */
export type RedriveResult =
  | { readonly id: string; readonly outcome: 'accepted' }
  | { readonly id: string; readonly outcome: 'already_redriven' | 'not_found' | 'queue_full' }
  | {
      readonly id: string;
      readonly outcome: 'rejected';
      readonly code: string;
      readonly path: string;
      readonly message: string;
    };

export interface RedriveDeps {
  readonly submit: SubmitEvents;
  readonly markRedriven: (identity: RecordIdentity) => Promise<void>;
  readonly limits: DecodeLimits;
  readonly validate: Validate;
}

/**
 * Creates the function that sends a dead letter through the pipeline again. If it is rejected again, it stays as it is
 * and no second dead letter is created. If it is accepted, it gets an ingest id derived from its identity and is marked
 * as redriven. An interruption or a repetition therefore creates no duplicates.
 */
export function createRedrive({ submit, markRedriven, limits, validate }: RedriveDeps) {
  return async function redrive(letter: StoredDeadLetter): Promise<RedriveResult> {
    const { id, identity, raw } = letter;
    if (letter.redriven) return { id, outcome: 'already_redriven' };
    const decoded = decodeRecord(raw, limits);
    const result = decoded.ok ? validate(decoded.payload) : decoded;
    if (!decoded.ok || !result.ok) {
      const { code, path, message } = result as Exclude<typeof result, { ok: true }>;
      return { id, outcome: 'rejected', code, path, message };
    }
    const idempotencyKey = `redrive:${identity.topic}/${identity.partition}/${identity.offset}`;
    const answer = await submit({ items: [{ index: 0, text: decoded.payload }], idempotencyKey });
    // Also returned if the store is unavailable: the redrive can be repeated, because the ingest id identifies what was
    // already stored.
    if (typeof answer === 'string') return { id, outcome: 'queue_full' };
    const [refused] = answer.rejected;
    if (refused !== undefined) {
      return { id, outcome: 'rejected', code: refused.code, path: refused.path, message: refused.message };
    }
    await markRedriven(identity);
    return { id, outcome: 'accepted' };
  };
}
