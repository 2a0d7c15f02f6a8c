import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeFields } from '#api/outputs/describe-fields.ts';
import { choice, headerText, pem } from '#api/outputs/fields.ts';

test('a form field has the control, default and choices of its schema', () => {
  const fields = describeFields(
    z.strictObject({
      token: headerText.meta({ title: 'Token', description: 'From your account' }),
      port: z.int().default(514).meta({ title: 'Port' }),
      tls: z.boolean().default(true).meta({ title: 'TLS' }),
      format: choice({ cef: 'CEF', json: 'Plain JSON' }).default('cef').meta({ title: 'Format' }),
      ca: pem('CA', 'Trusted authorities').optional(),
    }),
  );
  const plain = { description: null, required: false, default: null, choices: null };
  expect(fields).toEqual([
    { ...plain, name: 'token', label: 'Token', description: 'From your account', input: 'text', required: true },
    { ...plain, name: 'port', label: 'Port', input: 'number', default: 514 },
    { ...plain, name: 'tls', label: 'TLS', input: 'switch', default: true },
    {
      ...plain,
      name: 'format',
      label: 'Format',
      input: 'choice',
      default: 'cef',
      choices: [
        { value: 'cef', label: 'CEF' },
        { value: 'json', label: 'Plain JSON' },
      ],
    },
    { ...plain, name: 'ca', label: 'CA', description: 'Trusted authorities', input: 'pem' },
  ]);
});
