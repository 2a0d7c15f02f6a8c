import { expect, test } from 'vitest';
import { z } from 'zod';
import { OUTPUT_FIELDS } from '#dashboards/console/src/pages/outputs/output-fields.ts';
import { KINDS } from '#dashboards/console/src/pages/outputs/output-kinds.ts';
import { OUTPUT_SHAPES, OUTPUT_TYPES } from '#schemas/api/outputs.ts';

test('every kind of output can be made in the console', () => {
  expect([...KINDS].sort()).toEqual([...OUTPUT_TYPES].sort());
});

test.each(KINDS)(
  'the form of %s asks for what the API takes: the same names, what is needed, choices and defaults',
  (type) => {
    for (const part of ['settings', 'secrets'] as const) {
      const { properties = {}, required = [] } = z.toJSONSchema(OUTPUT_SHAPES[type][part], { io: 'input' });
      const fields = OUTPUT_FIELDS[type][part];
      expect(fields.map(({ name }) => name)).toEqual(Object.keys(properties));
      expect(fields.filter((field) => field.required).map(({ name }) => name)).toEqual(required);
      for (const { name, choices, default: shipped } of fields) {
        const shape = properties[name] as { readonly enum?: readonly string[]; readonly default?: unknown };
        expect(choices?.map(({ value }) => value)).toEqual(shape.enum);
        expect(shipped).toEqual(shape.default);
      }
    }
  },
);
