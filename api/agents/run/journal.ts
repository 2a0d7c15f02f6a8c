import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Database } from '#api/postgres/database.ts';
import { listRunCalls, type RunClaim, recordRunCall } from '../tables/agent-run-calls.ts';
import { RuntimeFailure } from './runtime.ts';

/** The answers of one run together, as JSON. */
const MAX_BYTES = 64 * 2 ** 20;

/** A call at its place in the run. */
export interface JournalEntry {
  /** 0, 1, 2 … */
  readonly ordinal: number;
  readonly hash: string;
  /** What an earlier attempt of the run got for the same call at the same place. */
  readonly recorded: JsonValue | undefined;
  /** Keeps the answer. Rejects when the run is not held any more. */
  record(answer: JsonValue): Promise<void>;
}

/**
 * The calls that a run makes, one after the other. A run that is begun again, because its worker died or because it waited for a decision, makes the same
 * calls again and gets the recorded answers. From the first call that differs on, nothing recorded is used.
 */
export interface Journal {
  /** Work of a run, one after the other in the order in which it comes. */
  inOrder<T>(work: () => Promise<T>): Promise<T>;
  /** The call that comes next. Only within `inOrder`. */
  next(request: JsonValue): JournalEntry;
}

/** The journal of a run that is stored. */
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
          if (!kept) throw new Error('the execution is not held any more');
          position++;
        },
      };
    },
  };
}

/** The journal of a run that never waits and begins from the start after a crash. Calls may overlap. */
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
