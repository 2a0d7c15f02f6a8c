import { z } from 'zod';

/** A rejected record in JSON. */
export const deadLetterSchema = z.looseObject({
  id: z.string().describe('`<topic>~<partition>~<offset>`'),
  topic: z.string(),
  partition: z.int(),
  offset: z.int(),
  received: z.string().describe('When it came, RFC 3339'),
  code: z.string().describe('Why it was refused'),
  path: z.string().describe('JSON path of the value that is wrong'),
  message: z.string(),
  redriven: z.string().nullable().describe('When a redrive put it through; null while none has'),
  raw: z.string().describe('All bytes as they came'),
  rawEncoding: z.enum(['utf8', 'base64']).describe('`base64` for bytes that are no text'),
});
