import { z } from 'zod';
import { instantSchema } from './instant.ts';

export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/, 'must be a letter, then letters, digits, underscores and hyphens');

const secretHostSchema = z
  .string()
  .max(267)
  .regex(
    /^(?:[Hh][Tt][Tt][Pp]:\/\/)?(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)(?::[0-9]{1,5})?$/,
    'must be a host, such as api.example.org, api.example.org:8443 or http://mirror.internal:8080',
  );
export const secretBodySchema = z.strictObject({
  value: z
    .string()
    .min(1)
    .max(16 * 1024),
  hosts: z
    .array(secretHostSchema)
    .min(1)
    .max(20)
    .nullable()
    .optional()
    .describe(
      'Only hosts that tasks may send the value to; null: any host; absent: unchanged. Connections use TLS, except to hosts that begin with `http://`',
    )
    .meta({ example: ['api.example.org'] }),
});

export const secretSchema = z.object({
  name: z.string(),
  hosts: z.array(z.string()).nullable().describe('the only hosts that tasks may send the value to; null: any host'),
  createdAt: instantSchema,
  updatedAt: instantSchema,
});
