import { ClickHouseError } from '@clickhouse/client';

/**
 * What went wrong between us and ClickHouse. `message` names the operation and the code only: the server's own text may quote rows, so it
 * is kept in a property that loggers and JSON.stringify don't see.
 */
export class ClickHouseFailure extends Error {
  override readonly name = 'ClickHouseFailure';
  readonly operation: string;
  /** ClickHouse's number (`252`), a system code (`ECONNRESET`), or `UNKNOWN`. */
  readonly code: string;
  readonly type: string | undefined;
  /** Trying again later can help. */
  readonly temporary: boolean;
  /** The server's or the system's own words. Not enumerable. */
  declare readonly serverText: string;

  constructor(operation: string, error: unknown) {
    const { code, type, text, temporary } = classify(error);
    super(`ClickHouse could not ${operation}: ${code}${type ? ` ${type}` : ''}`);
    this.operation = operation;
    this.code = code;
    this.type = type;
    this.temporary = temporary;
    Object.defineProperty(this, 'serverText', { value: text, enumerable: false });
  }
}

/** True when the failure is one that passes by itself. Anything this module does not know is not. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ClickHouseFailure ? error.temporary : classify(error).temporary;
}

/** Which limit of ours a query ran into; undefined for any other failure, such as a server that is short of memory as a whole. */
export function exceededLimit(error: unknown): 'time' | 'rows' | 'memory' | undefined {
  if (!(error instanceof ClickHouseFailure)) return undefined;
  if (error.code === '158' || error.code === '307') return 'rows';
  if (error.code === '159' || error.code === '160') return 'time';
  return error.code === '241' && !/\(total\)/.test(error.serverText) ? 'memory' : undefined;
}

/** Codes of ClickHouse's src/Common/ErrorCodes.cpp for conditions that pass: load, shutdown, network, disk space, replicas. */
const TEMPORARY_SERVER_CODES = new Set([
  '3', // UNEXPECTED_END_OF_FILE: the body was cut off on its way
  '75', // CANNOT_WRITE_TO_FILE_DESCRIPTOR: as a rule the disk is full
  '159', // TIMEOUT_EXCEEDED
  '201', // QUOTA_EXCEEDED
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '203', // NO_FREE_CONNECTION
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '224', // REPLICA_IS_ALREADY_ACTIVE: its session before this one has not expired yet
  '225', // NO_ZOOKEEPER
  '234', // NO_REPLICA_HAS_PART
  '236', // ABORTED: the server is shutting down
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
  '244', // UNEXPECTED_ZOOKEEPER_ERROR: the session with the keeper ended within the insert
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT: the deduplication token makes the repeat safe
  '341', // UNFINISHED
  '394', // QUERY_WAS_CANCELLED
  '416', // REPLICA_STATUS_CHANGED
  '439', // CANNOT_SCHEDULE_TASK
  '473', // DEADLOCK_AVOIDED
  '529', // NOT_A_LEADER: the keeper that orders statements of a cluster has restarted
  '667', // NOT_INITIALIZED: the replica has just started
  '745', // SERVER_OVERLOADED
  '999', // KEEPER_EXCEPTION
]);

const TEMPORARY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ENOENT', // the Unix socket of the embedded engine, while it restarts
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ROWS_WITHOUT_QUORUM', // this and the next are of `majority.ts`
  'ROWS_NOT_VISIBLE',
  'SHARD_WITHOUT_TABLES', // of `choose-shard.ts`
]);

/** Whether the connection to a server broke while it was used. */
export function isBrokenConnection(error: unknown): boolean {
  const { code } = classify(error);
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Failures that the client or a proxy in between reports in words only. */
const TEMPORARY_TEXTS =
  /^Timeout error|socket hang up|bad gateway|service (temporarily )?unavailable|gateway time-?out/i;

function classify(error: unknown): { code: string; type: string | undefined; text: string; temporary: boolean } {
  if (error instanceof ClickHouseFailure) {
    return { code: error.code, type: error.type, text: error.serverText, temporary: error.temporary };
  }
  if (error instanceof ClickHouseError) {
    const { code, type, message: text } = error;
    return { code, type, text, temporary: TEMPORARY_SERVER_CODES.has(code) };
  }
  const text = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN';
  const temporary = TEMPORARY_SYSTEM_CODES.has(code) || TEMPORARY_TEXTS.test(text);
  return { code, type: undefined, text, temporary };
}
