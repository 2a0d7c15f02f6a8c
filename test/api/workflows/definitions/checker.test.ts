import { afterAll, expect, test } from 'vitest';
import { createChecker } from '#api/workflows/definitions/checker.ts';

const checker = createChecker({ timeLimitMs: 20_000 });
afterAll(() => checker.close());

const definition = (expression: string) => `
document: { dsl: '1.0.0', namespace: test, name: test, version: '1.0.0' }
do:
  - first:
      if: ${JSON.stringify(expression)}
      set: { value: 1 }
`;

test('an expression that aborts jq does not affect the check of another definition', async () => {
  // Closes the wrapper that the checker puts around expressions to compile them without running them.
  const escapes = (inner: string) => `1)) end | if true then (${inner}) else ((2`;
  expect(await checker.check(definition(escapes('[range(1e9)] | length')))).toMatchObject({ ok: false });
  expect(await checker.check(definition('.a + 1'))).toMatchObject({ ok: true });
  expect(await checker.check(definition(escapes('error(env | tostring)')))).toMatchObject({
    ok: false,
    issues: [{ message: expect.stringContaining('{}') as unknown }],
  });
});
