import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Database } from '#api/postgres/database.ts';
import { listRunCalls, type RunClaim, recordRunCall } from '../tables/agent-run-calls.ts';
import { RuntimeFailure } from './runtime.ts';

/** Maximum JSON size of all recorded results of one run. */
const MAX_BYTES = 64 * 2 ** 20;

/** A call at its position in the run. */
export interface JournalEntry {
  /** Position from 0. */
  readonly ordinal: number;
  readonly hash: string;
  /** Result of the same call at the same position in an earlier attempt. */
  readonly recorded: JsonValue | undefined;
  /** Records the result. Rejects if this worker has lost the run. */
  record(answer: JsonValue): Promise<void>;
}

/**
 * The sequence of calls of a run. A run that is restarted, after a crash or after a wait for a decision, makes the same
 * calls again and receives their recorded results. From the first different call on, recorded results are ignored.
 */
export interface Journal {
  /** Runs work of a run sequentially, in FIFO order. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  /** Returns the next position. Call it only within `inOrder`. */
  next(request: JsonValue): JournalEntry;
}

/** Opens the stored journal of a run. */
export async function openJournal(database: Database, claim: RunClaim): Promise<Journal> {
  const recorded = await listRunCalls(database, claim.executionId);
  let known = new Map(recorded.map((call) => [call.ordinal, call]));
  let position = 0;
  let bytes = 0;
  return {
    inOrder: queue(),
    next(request) {
      const ordinal = position;
      const hash = hashOf(request);
      const earlier = known.get(ordinal);
      if (earlier?.requestHash === hash) {
        position++;
        bytes += earlier.bytes;
        return { ordinal, hash, recorded: earlier.answer, record: async () => {} };
      }
      known = new Map();
      return {
        ordinal,
        hash,
        recorded: undefined,
        async record(answer) {
          const json = JSON.stringify(answer);
          const size = Buffer.byteLength(json);
          bytes += size;
          if (bytes > MAX_BYTES)
            throw new RuntimeFailure(
              'limit',
              `the answers to calls of the run have more than ${MAX_BYTES} bytes together`,
            );
          const kept = await recordRunCall(database, claim, { ordinal, requestHash: hash, answer: json, bytes: size });
          if (!kept) throw new Error('the lease of the execution is lost');
          position++;
        },
      };
    },
  };
}

/** Returns a journal for a run that never waits and restarts from the beginning after a crash. Calls may overlap. */
export function noJournal(): Journal {
  let position = 0;
  return {
    inOrder: (work) => work(),
    next: (request) => ({
      ordinal: position++,
      hash: hashOf(request),
      recorded: undefined,
      record: async () => {},
    }),
  };
}

function hashOf(request: JsonValue): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

function queue(): Journal['inOrder'] {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };
}
