import { createHash } from 'node:crypto';

/** What an entry's hash covers besides the hash before it. */
export interface ChainedFields {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly target: string;
  readonly action: string;
  /** JSON, exactly as it is kept. */
  readonly diff: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** What the first entry follows: 32 zero bytes. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

/**
 * SHA-256 of the 32 bytes of the hash before, and of the UTF-8 of the JSON array
 * `[id, at, actor, target, action, diff, ip, userAgent, requestId]`, written without spaces; `at` is RFC 3339 in UTC with milliseconds,
 * `diff` the text of the diff as one JSON string. Changing any of it changes the hash, and those of all entries that follow.
 */
export function chainHash(previousHash: Buffer, fields: ChainedFields): Buffer {
  const { id, at, actor, target, action, diff, ip, userAgent, requestId } = fields;
  const canonical = JSON.stringify([id, timeText(at), actor, target, action, diff, ip, userAgent, requestId]);
  return createHash('sha256').update(previousHash).update(canonical).digest();
}

/** A person who alters a row may set a time that JavaScript cannot represent, such as `infinity`. */
function timeText(at: Date): string {
  return at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : String(at);
}
