/** SQLSTATE classes of temporary errors: connections, resources, shutdown, lock conflicts, fail-over. */
const PASSING_CLASSES = ['08', '53', '57'];
const PASSING_CODES = new Set(['25006', '40001', '40P01', '55P03']);
const SYSTEM_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
/**
 * Errors of a server on a Unix socket: the socket is missing while it restarts, and an overloaded server has a full
 * connection queue.
 */
const SOCKET_CODES = new Set(['ENOENT', 'EAGAIN']);
const POOL_MESSAGES =
  /^(?:timeout exceeded when trying to connect|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed)/;
const UNIQUE_VIOLATION = '23505';

/**
 * True for temporary errors of PostgreSQL, for example while a server restarts. For the codes, see appendix A of its
 * documentation.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code: value, syscall } = error as { code?: unknown; syscall?: unknown };
  const code = String(value ?? '');
  if (syscall === 'connect' && SOCKET_CODES.has(code)) return true;
  if (SYSTEM_CODES.has(code) || PASSING_CODES.has(code)) return true;
  if (code.length === 5 && PASSING_CLASSES.includes(code.slice(0, 2))) return true;
  return POOL_MESSAGES.test(error.message);
}

/**
 * Returns the name of the unique constraint or index that an insert or update violated; undefined if it failed for
 * another reason.
 */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: string };
  return code === UNIQUE_VIOLATION ? (constraint ?? '') : undefined;
}
