import { createHash } from 'node:crypto';

/** Fields that the hash of an entry covers in addition to the previous hash. */
export interface ChainedFields {
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly target: string;
  readonly action: string;
  /** JSON, exactly as stored. */
  readonly diff: string;
  readonly ip: string;
  readonly userAgent: string;
  readonly requestId: string;
}

/** Previous hash of the first entry: 32 zero bytes. */
export const CHAIN_START: Buffer = Buffer.alloc(32);

/**
 * Returns the SHA-256 of the previous hash (32 bytes) followed by the UTF-8 of the JSON array `[id, at, actor, target,
 * action, diff, ip, userAgent, requestId]` without spaces. `at` is RFC 3339 in UTC with milliseconds, `diff` the text
 * of the diff as one JSON string. A change of any field changes the hash, and those of all later entries.
 */
export function chainHash(previousHash: Buffer, fields: ChainedFields): Buffer {
  const { id, at, actor, target, action, diff, ip, userAgent, requestId } = fields;
  const canonical = JSON.stringify([id, timeText(at), actor, target, action, diff, ip, userAgent, requestId]);
  return createHash('sha256').update(previousHash).update(canonical).digest();
}

/** A manipulated row can have a time that JavaScript cannot represent, such as `infinity`. */
function timeText(at: Date): string {
  return at instanceof Date && !Number.isNaN(at.getTime()) ? at.toISOString() : String(at);
}
