import { connectionProblem } from '#schemas/connection-problem.ts';
import { OutboundFailure } from './port.ts';
import { tlsFailureOf } from './tls-failure.ts';

/** Returns the failure of a connection that could not be opened, with the reason if it is known. */
export function connectionFailure(cause: unknown): OutboundFailure {
  const ofTls = tlsFailureOf(cause);
  if (ofTls !== undefined) return ofTls;
  const problem = connectionProblem(cause);
  if (problem === undefined) return new OutboundFailure('unreachable', 'cannot connect to the server', { cause });
  return new OutboundFailure('unreachable', `cannot connect to the server: ${problem}`, { cause });
}
