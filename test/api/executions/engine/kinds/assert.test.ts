import { expect, test } from 'vitest';
import { validateDsl } from '#api/workflows/definitions/dsl-schema.ts';
import { play, useEvaluate, workflow } from '../play.ts';

const evaluate = useEvaluate();
const definition = workflow("do: [ { check: { assert: { that: '.n > 1', message: 'n is too small' } } } ]");
const run = (n: number) => play({ definition, evaluate, context: { input: { n } } });

test('a true assertion passes the input on', async () => {
  expect((await run(2)).output).toEqual({ n: 2 });
});

test('a false assertion fails with its message', async () => {
  expect((await run(1)).error).toMatchObject({ detail: 'n is too small', instance: '/do/0/check' });
});

test('a definition is checked', () => {
  const validate = validateDsl();
  expect(validate(definition)).toBe(true);
  expect(validate(workflow('do: [ { check: { assert: { then: 1 } } } ]'))).toBe(false);
});
