import type { PoolClient } from 'pg';

const MARK = /^\s*\/\* prepared: ([a-z-]{1,60}) \*\//;

/**
 * Sends statements that begin with `/* prepared: name *\/` as prepared statements with that name, so PostgreSQL caches
 * their plans per connection. The text of a name must never change. See docs/corrections/pg-prepared-statements.md.
 */
export function prepareMarked(client: PoolClient): void {
  const plain = client.query.bind(client) as (...call: readonly unknown[]) => unknown;
  const query = (...call: readonly unknown[]): unknown => {
    const [text, values] = call;
    const name = typeof text === 'string' ? MARK.exec(text)?.[1] : undefined;
    return name === undefined ? plain(...call) : plain({ name, text, values }, ...call.slice(2));
  };
  client.query = query as typeof client.query;
}
