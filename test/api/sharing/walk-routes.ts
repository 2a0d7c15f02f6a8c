import { expect } from 'vitest';
import { type Document, operationsOf } from '#api/http/description/document.ts';

type Call = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface WalkedRoutes {
  /** Of the server, with its description. */
  readonly app: object;
  /** Calls as another account. */
  readonly call: Call;
  /** Parameters of the path that name what is not the caller's, each with its value and one that nothing has. */
  readonly named: Readonly<Record<string, readonly [theirs: string, nobodys: string]>>;
  /** Bodies that are accepted of a caller who may do it, by operation. A route with a body must have one. */
  readonly bodies: Readonly<Record<string, unknown>>;
  /** Queries that routes must have, by operation. */
  readonly queries?: Readonly<Record<string, string>>;
  /** Operations that name something new. */
  readonly except?: readonly string[];
}

/**
 * Calls every route below /api/v1 that names something of another account. Each must answer as if that did not exist: with 404, and the same text.
 * Resolves to the operations that were called.
 */
export async function expectHidden({
  app,
  call,
  named,
  bodies,
  queries = {},
  except = [],
}: WalkedRoutes): Promise<string[]> {
  const found: object[] = [];
  const expected: object[] = [];
  const walked: string[] = [];
  for (const { path, method, operation } of operationsOf((app as { swagger(): Document }).swagger())) {
    const { operationId = '', requestBody } = operation;
    const names = Object.keys(named).filter((name) => path.includes(`{${name}}`));
    if (!path.startsWith('/api/v1/') || names.length === 0 || except.includes(operationId)) continue;
    if (requestBody !== undefined) expect(Object.keys(bodies)).toContain(operationId);
    const ask = async (which: 0 | 1) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => named[name]?.[which] ?? OTHERS[name] ?? 'x');
      const { status, text } = await call(
        method.toUpperCase(),
        filled + (queries[operationId] ?? ''),
        bodies[operationId],
      );
      const shown = names.reduce((all, name) => all.replaceAll(named[name]?.[which] ?? '', name), text);
      return { operationId, status, text: shown.replace(/"requestId":"[^"]*"/, '') };
    };
    found.push(await ask(0));
    expected.push({ ...(await ask(1)), status: 404 });
    walked.push(operationId);
  }
  expect(found).toEqual(expected);
  return walked;
}

/** Values of other parameters, where not any will do. */
const OTHERS: Readonly<Record<string, string>> = { kind: 'input' };
