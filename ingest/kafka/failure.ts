/** A failed operation on Kafka. The message names the operation and the cause, never the key or value of a record. */
export class KafkaFailure extends Error {
  override readonly name = 'KafkaFailure';
  /**
   * The error name of the broker (`MESSAGE_TOO_LARGE`) or of the system (`ECONNREFUSED`), the error class of the
   * client, or `CLOSED`.
   */
  readonly code: string;
  /**
   * `temporary`: a retry can succeed. `permanent`: an operator must change a permission, a setting or the data.
   * `unknown`: a fault of our code or of the client.
   */
  readonly kind: 'temporary' | 'permanent' | 'unknown';

  constructor(operation: string, error: unknown, kind = kindOf(error)) {
    const code = codeOf(error);
    super(`Kafka could not ${operation}: ${code}`, { cause: error });
    this.code = code;
    this.kind = kind;
  }
}

/** Returns true if a retry can succeed. False for errors that this folder did not create. */
export function isTemporary(error: unknown): boolean {
  return error instanceof KafkaFailure && error.kind === 'temporary';
}

/** Returns true if the broker rejected a message or a batch because of its size (`max.message.bytes` of the topic). */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof KafkaFailure && (error.code === 'MESSAGE_TOO_LARGE' || error.code === 'RECORD_LIST_TOO_LARGE')
  );
}

/**
 * Codes that a retry cannot correct: an operator must change a permission, a password, a setting or the data. The
 * client's `retriable` flag is not used, because it is false for many temporary conditions (no coordinator yet, retries
 * exhausted).
 */
const PERMANENT = new Set([
  'MESSAGE_TOO_LARGE',
  'RECORD_LIST_TOO_LARGE',
  'INVALID_RECORD',
  'INVALID_TOPIC_EXCEPTION',
  'INVALID_REQUIRED_ACKS',
  'TOPIC_AUTHORIZATION_FAILED',
  'GROUP_AUTHORIZATION_FAILED',
  'CLUSTER_AUTHORIZATION_FAILED',
  'TRANSACTIONAL_ID_AUTHORIZATION_FAILED',
  'SASL_AUTHENTICATION_FAILED',
  'UNSUPPORTED_SASL_MECHANISM',
  'ILLEGAL_SASL_STATE',
  'SECURITY_DISABLED',
  'UNSUPPORTED_VERSION',
  'UNSUPPORTED_FOR_MESSAGE_FORMAT',
  'UNSUPPORTED_COMPRESSION_TYPE',
  'INVALID_GROUP_ID',
  'INVALID_SESSION_TIMEOUT',
  'INCONSISTENT_GROUP_PROTOCOL',
  'GROUP_MAX_SIZE_REACHED',
  'FENCED_INSTANCE_ID',
  'POLICY_VIOLATION',
  'INVALID_CONFIG',
  'INVALID_PARTITIONS',
  'INVALID_REPLICATION_FACTOR',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'KafkaJSSASLAuthenticationError',
  'KafkaJSNotImplemented',
  'KafkaJSServerDoesNotSupportApiKey',
]);

/** TLS errors of the system that persist until a certificate is changed. */
const PERMANENT_TLS = /^(CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_)/;

function kindOf(error: unknown): KafkaFailure['kind'] {
  if (error instanceof KafkaFailure) return error.kind;
  const code = codeOf(error);
  if (PERMANENT.has(code) || PERMANENT_TLS.test(code)) return 'permanent';
  // Errors of the client itself are temporary (broker unavailable, no leader, timeout). The client also wraps errors of
  // others, so the innermost error decides.
  const root = chain(error).at(-1);
  return root?.name.startsWith('KafkaJS') || NETWORK.test(code) ? 'temporary' : 'unknown';
}

const NETWORK = /^(ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN)/;

/**
 * Returns the most specific name in the chain of causes: of the broker, then of the system, then the class of the
 * innermost error.
 */
function codeOf(error: unknown): string {
  if (error instanceof KafkaFailure) return error.code;
  const links = chain(error);
  const named = (property: 'type' | 'code'): string | undefined => {
    for (const link of links) {
      const value = (link as { type?: unknown; code?: unknown })[property];
      if (typeof value === 'string') return value;
    }
    return undefined;
  };
  return named('type') ?? named('code') ?? links.at(-1)?.name ?? String(error);
}

/** Returns the error and its causes. An aggregate error (creating topics) is represented by its first error. */
function chain(error: unknown): Error[] {
  const links: Error[] = [];
  let next: unknown = error;
  while (next instanceof Error && links.length < 10) {
    links.push(next);
    const { cause, errors } = next as { cause?: unknown; errors?: unknown };
    next = cause ?? (Array.isArray(errors) ? errors[0] : undefined);
  }
  return links;
}
