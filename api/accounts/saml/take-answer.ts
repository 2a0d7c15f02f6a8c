import { z } from 'zod';
import type { Database } from '#api/postgres/database.ts';
import { takeSamlAccount } from '../tables/saml-assertions.ts';
import type { TakeAnswer } from './saml-provider.ts';

const accountSchema = z.object({
  subject: z.string(),
  email: z.string().optional(),
  emailVerified: z.boolean(),
  login: z.string().optional(),
  attributes: z.array(z.tuple([z.string(), z.array(z.string())])),
  session: z.record(z.string(), z.string()).optional(),
});

/** Removes and returns accounts of verified responses from the database, where any process may have stored them. */
export function createTakeAnswer({ database }: { readonly database: Database }): TakeAnswer {
  return async (answer) => {
    const account = await takeSamlAccount(database, answer);
    if (account === undefined) return undefined;
    const { subject, email, emailVerified, login, attributes, session } = accountSchema.parse(account);
    return {
      subject,
      email,
      emailVerified,
      login,
      attributes: new Map(attributes),
      ...(session === undefined ? {} : { session }),
    };
  };
}
