/**
 * Thrown if the expression does not parse, fails on this input, does not return exactly one value, or exceeds a limit.
 * The same arguments fail again.
 */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/**
 * Thrown if too many evaluations are queued or the pool is closed. It does not depend on the expression, so the same
 * evaluation can succeed later.
 */
export class ExpressionsBusyError extends Error {
  override readonly name = 'ExpressionsBusyError';
}
