import type { PoolClient } from 'pg';

const MARK = /^\s*\/\* prepared: ([a-z-]{1,60}) \*\//;

/**
 * Lets PostgreSQL keep the plan of statements that begin with `/* prepared: name *\/`, a connection at a time. The text of a name never changes. Behind a
 * pooler that hands connections out by transaction this needs one that knows prepared statements (PgBouncer 1.21 or later).
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
