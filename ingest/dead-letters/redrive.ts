import type { RecordIdentity } from '#schemas/topics.ts';
import type { SubmitEvents } from '../http/submission.ts';
import { type DecodeLimits, decodeRecord } from '../pipeline/decode.ts';
import type { Validate } from '../pipeline/validate.ts';

/** A dead letter as the store gives it out. */
export interface StoredDeadLetter {
  readonly id: string;
  readonly identity: RecordIdentity;
  /** The bytes as they came, a registry frame included. */
  readonly raw: Buffer;
  readonly redriven: boolean;
}

/** What became of one dead letter. */
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
 * Sends dead letters through the pipeline again. One that is still refused stays what it is and makes no second dead letter.
 * One that is now accepted goes in under an ingest id made of its identity and is marked; being cut off in between or asked
 * twice therefore doubles nothing.
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
    // Also for a store that does not work: it is to be tried again, and what may be stored is then known by its ingest id.
    if (typeof answer === 'string') return { id, outcome: 'queue_full' };
    const [refused] = answer.rejected;
    if (refused !== undefined) {
      return { id, outcome: 'rejected', code: refused.code, path: refused.path, message: refused.message };
    }
    await markRedriven(identity);
    return { id, outcome: 'accepted' };
  };
}
