import { z } from 'zod';
import { isStorable, NOT_STORABLE } from '#schemas/api/storable-text.ts';

/** An HTTP or HTTPS URL without user and password. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https URL' })
  .max(2_048)
  .refine(isStorable, NOT_STORABLE)
  .refine((text) => !/^https?:\/\/[^/?#]*@/i.test(text), 'must not contain user and password');

/** Media type of PEM text. Forms show such fields with several lines. */
export const PEM_MEDIA_TYPE = 'application/x-pem-file';

/** Certificates or a key in PEM (RFC 7468). */
export const pem = (title: string, description: string) =>
  z
    .string()
    .startsWith('-----BEGIN ')
    .max(65_536)
    .refine(isStorable, NOT_STORABLE)
    .meta({ title, description, contentMediaType: PEM_MEDIA_TYPE });

/** Text that is valid in an HTTP header. */
export const headerText = z
  .string()
  .max(8_192)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'must be printable ASCII');

/** One of several values. `labels`: the form label of each value. */
export function choice<const Labels extends Readonly<Record<string, string>>>(labels: Labels) {
  return z.enum(Object.keys(labels) as [keyof Labels & string]).meta({ 'x-labels': labels });
}
