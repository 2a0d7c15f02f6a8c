import { z } from 'zod';

/** A rejected record in JSON. */
export const deadLetterSchema = z.looseObject({
  id: z.string().describe('`<topic>~<partition>~<offset>`'),
  topic: z.string(),
  partition: z.int(),
  offset: z.int(),
  received: z.string().describe('Time of receipt, RFC 3339'),
  code: z.string().describe('Reason for the rejection'),
  path: z.string().describe('JSON path of the invalid value'),
  message: z.string(),
  redriven: z.string().nullable().describe('Time at which a redrive accepted it; null: not yet'),
  raw: z.string().describe('The record as received, unchanged'),
  rawEncoding: z.enum(['utf8', 'base64']).describe('`base64` if the bytes are not text'),
});
