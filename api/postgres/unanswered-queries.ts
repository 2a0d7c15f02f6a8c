import type { PoolClient } from 'pg';
import { isReadOnly } from './primary.ts';

/** Error message of a query without a response within `query_timeout`. */
const TIMEOUT_MESSAGE = 'Query read timeout';

/**
 * Closes a connection whose query got no response in time. The server itself ends long queries, so a missing response
 * means that the server hangs or is unreachable. In the pool, such a connection would block its next user. See
 * docs/corrections/pg-unanswered-queries.md. Also closes a connection whose server became a standby: the next
 * connection goes to the new primary.
 */
export function endWhenUnanswered(client: PoolClient): void {
  const plain = client.query.bind(client) as (...call: readonly unknown[]) => unknown;
  const query = (...call: readonly unknown[]): unknown => {
    const answer = plain(...call);
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof Error && (error.message === TIMEOUT_MESSAGE || isReadOnly(error))) end(client);
      });
    return answer;
  };
  client.query = query as typeof client.query;
}

/** Closes a connection. With a query in flight, `end` of pg destroys the socket without waiting. */
function end(client: PoolClient): void {
  const { end: close } = client as unknown as { end(): Promise<void> };
  close.call(client).catch(() => {});
}
