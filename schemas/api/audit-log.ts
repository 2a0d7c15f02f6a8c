import { z } from 'zod';

/** An entry of the audit log. */
export const auditEntrySchema = z.object({
  id: z.int().describe('1, 2, 3 … without a gap'),
  at: z.string().describe('When, RFC 3339 with milliseconds'),
  actor: z.string().describe('Who: `user:<id>`, `key:<keyId>`, `operator`, `system` or `anonymous`'),
  target: z.string().describe('On what: `user:<id>`, `key:<keyId>`, `rule:<id>` …'),
  actorName: z
    .string()
    .nullable()
    .describe(
      'The current name of the account, key, session, detection, case, exception, workflow, agent, output, template, team or token; null: it has none, or is gone',
    ),
  targetName: z.string().nullable().describe('The same of what it was done to'),
  action: z.string().describe('What was done'),
  diff: z.record(z.string(), z.unknown()).describe('`{field: {before, after}}`; secrets are `[redacted]`'),
  ip: z.string().describe('Address the request came from'),
  userAgent: z.string().describe('What the client called itself'),
  requestId: z.string().describe('Id of the request'),
  hash: z.string().describe('SHA-256, hexadecimal, of this entry and the hash of the one before'),
});
export type AuditEntryBody = z.infer<typeof auditEntrySchema>;

export const auditVerificationSchema = z.object({
  verified: z.int().describe('How many entries are as they were written, up to the first that is not'),
  head: z
    .object({
      id: z.int().describe('0: there are no entries'),
      hash: z.string().describe('Hexadecimal'),
    })
    .describe('The newest of them. Stored where an attacker of the database cannot reach it, it proves later changes'),
  broken: z
    .object({
      id: z.int().describe('The first entry that is not as it was written'),
      fault: z
        .enum(['altered', 'missing', 'unlinked', 'unexpected'])
        .describe(
          'altered: its text does not fit its hash. missing: it does not exist. unlinked: it does not follow the one before. unexpected: the head of the log, or what was expected, does not match it',
        ),
    })
    .nullable()
    .describe('null: all is as it was written'),
});
export type AuditVerificationBody = z.infer<typeof auditVerificationSchema>;
