import { readFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { valuesNames } from '#test/distribution/chart-source.ts';
import type { ObjectSchemas } from '#test/distribution/schemas/strict-schemas.ts';
import { type KubernetesObject, renderedObjects } from './rendered-objects.ts';

const names = await valuesNames();
const all = await renderedObjects();
const schemas = JSON.parse(await readFile(new URL('schemas.json', import.meta.url), 'utf8')) as ObjectSchemas;
const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false }).addSchema(schemas, 'kubernetes');

test.each(names)('%s: every object has only known fields of Kubernetes with valid types', (name) => {
  for (const { object, title } of all.filter(({ values }) => values === name)) {
    const validate = validatorOf(object);
    expect([validate(object), validate.errors], title).toEqual([true, null]);
  }
});

test('rejects a field that Kubernetes does not know', () => {
  for (const { object, title } of all.filter(({ object: { spec } }) => spec !== undefined))
    expect(validatorOf(object)({ ...object, spec: { ...object.spec, replica: 1 } }), title).toBe(false);
});

test('the production values render every kind that has a schema', () => {
  const kinds = new Set(all.map(({ object }) => kindOf(object)));
  expect([...kinds].toSorted()).toEqual(Object.keys(schemas.objects).toSorted());
});

function kindOf({ apiVersion, kind }: KubernetesObject): string {
  return `${apiVersion}/${kind}`;
}

function validatorOf(object: KubernetesObject) {
  const validate = ajv.getSchema(`kubernetes#/objects/${kindOf(object).replaceAll('/', '~1')}`);
  if (validate === undefined)
    throw new Error(`no schema of ${kindOf(object)}: run \`npm run distribution -- schemas\``);
  return validate;
}
