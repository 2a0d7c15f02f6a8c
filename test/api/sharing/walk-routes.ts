import { expect } from 'vitest';
import { type Document, operationsOf } from '#api/http/description/document.ts';

type Call = (
  method: string,
  path: string,
  body?: unknown,
) => Promise<{ readonly status: number; readonly text: string }>;

export interface WalkedRoutes {
  /** URL of the server, which serves its description. */
  readonly app: object;
  /** Sends requests as another account. */
  readonly call: Call;
  /** Path parameters that name resources of the owner, each with its value and a value that does not exist. */
  readonly named: Readonly<Record<string, readonly [theirs: string, nobodys: string]>>;
  /** Bodies that are accepted from an authorized caller, by operation. A route with a body must have one. */
  readonly bodies: Readonly<Record<string, unknown>>;
  /** Required queries, by operation. */
  readonly queries?: Readonly<Record<string, string>>;
  /** Operations that create a resource with a new name. */
  readonly except?: readonly string[];
}

/**
 * Calls every route under /api/v1 that names a resource of another account. Each must respond as if the resource did
 * not exist: 404 with the same text. Resolves to the operations that were called.
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

/** Values of other parameters that need a specific value. */
const OTHERS: Readonly<Record<string, string>> = { kind: 'input' };
