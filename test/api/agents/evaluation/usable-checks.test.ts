import { afterAll, expect, test } from 'vitest';
import { checksSchema } from '#api/agents/evaluation/checks.ts';
import { requireUsableChecks } from '#api/agents/evaluation/usable-checks.ts';
import { createSchemaCheck } from '#api/agents/schema-check.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';

const schemas = createSchemaCheck();
const expressions = createExpressions({ threads: 1 });
afterAll(async () => {
  await expressions.close();
  await schemas.close();
});
const require = (...checks: object[]) =>
  requireUsableChecks(checksSchema.parse(checks), { schemas, evaluate: expressions.evaluate }, undefined);

test('accepts checks that a run can pass, whatever their expressions', async () => {
  await require({ type: 'regex', pattern: '^(benign|malicious)$' }, {
    type: 'json-schema',
    schema: { type: 'object' },
  }, { type: 'jq', expression: '.output.n == .input.n # both' }, {
    type: 'jq',
    expression: '(.output | fromjson).n > 0',
  }, { type: 'max-duration', ms: 1 });
});

test.each([
  ['0.pattern', { type: 'regex', pattern: '(' }],
  ['0.pattern', { type: 'regex', pattern: '(a{1,100}){1,100}' }],
  ['0.schema', { type: 'json-schema', schema: { type: 'nothing' } }],
  ['0.expression', { type: 'jq', expression: '.a |' }],
  ['0.expression', { type: 'jq', expression: '$secrets.key' }],
  ['0.expression', { type: 'jq', expression: 'no_such_function' }],
])('rejects checks.%s of %j', async (place, check) => {
  await expect(require(check)).rejects.toMatchObject({ issues: [{ field: `checks.${place}`, code: 'invalid_value' }] });
});
