/** The expression gives no single value: it does not parse, fails on this input, or goes beyond a limit. The same arguments fail again. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError';
}

/** There are too many evaluations waiting, or the pool is closed. The same evaluation can succeed later: it says nothing about the expression. */
export class ExpressionsBusyError extends Error {
  override readonly name = 'ExpressionsBusyError';
}
