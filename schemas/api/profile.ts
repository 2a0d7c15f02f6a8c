import { z } from 'zod';
import { roleSchema } from './roles.ts';
import { isStorable, NOT_STORABLE } from './storable-text.ts';

/** An account as shown to its owner. */
export const profileSchema = z.object({
  id: z.string().describe('Id of the user').meta({ example: '6f1c1a52-6c1e-4a0a-9c39-1f6f3c1c9d11' }),
  username: z.string().describe('Name of the account').meta({ example: 'ada' }),
  email: z.string().describe('E-mail address, in lower case').meta({ example: 'ada@example.org' }),
  image: z.string().nullable().describe('URL of the avatar').meta({ example: 'https://example.org/ada.png' }),
  role: roleSchema.describe('Role of the user').meta({ example: 'user' }),
  emailVerified: z.boolean().describe('Whether the e-mail address is verified').meta({ example: true }),
  createdAt: z.string().describe('Time of creation').meta({ example: '2026-01-02T03:04:05.678Z' }),
});
export type ProfileRecord = z.infer<typeof profileSchema>;

const MAX_IMAGE_CHARACTERS = 2048;

/** URL of a picture: https, without user and password. Browsers fetch it; this server does not. */
export const imageSchema = z
  .url({ protocol: /^https$/, hostname: z.regexes.domain })
  .max(MAX_IMAGE_CHARACTERS)
  .refine(isStorable, NOT_STORABLE)
  .refine((url) => {
    // zod also runs this check on invalid URLs, which are already rejected.
    const parsed = URL.parse(url);
    return parsed === null || (parsed.username === '' && parsed.password === '');
  }, 'must be an address without user and password')
  .describe('https address of a picture')
  .meta({ example: 'https://example.org/ada.png' });
