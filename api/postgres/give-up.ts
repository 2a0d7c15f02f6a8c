import type { PoolClient } from 'pg';

/** What pg says of a query that got no answer within `query_timeout`. */
const NO_ANSWER = 'Query read timeout';

/**
 * Ends a connection whose query got no answer in time. The server itself ends what takes too long; who hears nothing from it speaks to a machine
 * that hangs or is gone, and such a connection would go back into the pool and block its next user for as long as the network waits.
 */
export function endWhenUnanswered(client: PoolClient): void {
  const plain = client.query.bind(client) as (...call: readonly unknown[]) => unknown;
  const query = (...call: readonly unknown[]): unknown => {
    const answer = plain(...call);
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (error instanceof Error && error.message === NO_ANSWER) end(client);
      });
    return answer;
  };
  client.query = query as typeof client.query;
}

/** With a query in flight this destroys the socket without waiting. */
function end(client: PoolClient): void {
  const { end: close } = client as unknown as { end(): Promise<void> };
  close.call(client).catch(() => {});
}
