import { ClickHouseError } from '@clickhouse/client';

/**
 * A failed ClickHouse operation. `message` contains only the operation and the code. The server's text may quote rows,
 * so it is in a property that loggers and JSON.stringify do not read.
 */
export class ClickHouseFailure extends Error {
  override readonly name = 'ClickHouseFailure';
  readonly operation: string;
  /** ClickHouse's error number (`252`), a system error code (`ECONNRESET`), or `UNKNOWN`. */
  readonly code: string;
  readonly type: string | undefined;
  /** True if a later retry can succeed. */
  readonly temporary: boolean;
  /** Text of the server's or the system's error. Not enumerable. */
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

/** Returns true if the failure is temporary. False for failures that this module does not know. */
export function isTemporary(error: unknown): boolean {
  return error instanceof ClickHouseFailure ? error.temporary : classify(error).temporary;
}

/**
 * Returns the query limit that was exceeded. Undefined for any other failure, including a server that is out of memory
 * as a whole.
 */
export function exceededLimit(error: unknown): 'time' | 'rows' | 'memory' | undefined {
  if (!(error instanceof ClickHouseFailure)) return undefined;
  if (error.code === '158' || error.code === '307') return 'rows';
  if (error.code === '159' || error.code === '160') return 'time';
  return error.code === '241' && !/\(total\)/.test(error.serverText) ? 'memory' : undefined;
}

/**
 * Error codes of temporary conditions, from ClickHouse's src/Common/ErrorCodes.cpp: load, shutdown, network, disk
 * space, replicas.
 */
const TEMPORARY_SERVER_CODES = new Set([
  '3', // UNEXPECTED_END_OF_FILE: the body was truncated in transit
  '75', // CANNOT_WRITE_TO_FILE_DESCRIPTOR: usually the disk is full
  '159', // TIMEOUT_EXCEEDED
  '201', // QUOTA_EXCEEDED
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '203', // NO_FREE_CONNECTION
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '224', // REPLICA_IS_ALREADY_ACTIVE: its previous session has not expired yet
  '225', // NO_ZOOKEEPER
  '234', // NO_REPLICA_HAS_PART
  '236', // ABORTED: the server is shutting down
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
  '244', // UNEXPECTED_ZOOKEEPER_ERROR: the session with the keeper ended during the insert
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT: the deduplication token makes a retry safe
  '341', // UNFINISHED
  '394', // QUERY_WAS_CANCELLED
  '416', // REPLICA_STATUS_CHANGED
  '439', // CANNOT_SCHEDULE_TASK
  '473', // DEADLOCK_AVOIDED
  '529', // NOT_A_LEADER: the keeper that orders a cluster's statements has restarted
  '667', // NOT_INITIALIZED: the replica has just started
  '745', // SERVER_OVERLOADED
  '999', // KEEPER_EXCEPTION
]);

const TEMPORARY_SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ENOENT', // Unix socket of the embedded engine, while it restarts
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
  'ROWS_WITHOUT_QUORUM', // this code and the next are from `majority.ts`
  'ROWS_NOT_VISIBLE',
  'SHARD_WITHOUT_TABLES', // from `choose-shard.ts`
]);

/** Returns true if the connection to a server broke during use. */
export function isBrokenConnection(error: unknown): boolean {
  const { code } = classify(error);
  return code === 'ECONNRESET' || code === 'EPIPE';
}

/** Error messages of temporary failures that the client or a proxy reports without a code. */
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
