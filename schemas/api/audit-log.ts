import { z } from 'zod';

/** An entry of the audit log. */
export const auditEntrySchema = z.object({
  id: z.int().describe('1, 2, 3 … without a gap'),
  at: z.string().describe('Time, RFC 3339 with milliseconds'),
  actor: z.string().describe('Actor: `user:<id>`, `key:<keyId>`, `operator`, `system` or `anonymous`'),
  target: z.string().describe('Target: `user:<id>`, `key:<keyId>`, `rule:<id>` …'),
  actorName: z
    .string()
    .nullable()
    .describe(
      'Current name of the actor (account, key, session, detection, case, exception, workflow, agent, output, template, team or token); null: it has no name or was deleted',
    ),
  targetName: z.string().nullable().describe('Current name of the target, likewise'),
  action: z.string().describe('Action'),
  diff: z.record(z.string(), z.unknown()).describe('`{field: {before, after}}`; secrets are `[redacted]`'),
  ip: z.string().describe('IP address of the client'),
  userAgent: z.string().describe('`User-Agent` of the client'),
  requestId: z.string().describe('Id of the request'),
  hash: z.string().describe('SHA-256 of this entry and the hash of the previous one, hexadecimal'),
});
export type AuditEntryBody = z.infer<typeof auditEntrySchema>;

export const auditVerificationSchema = z.object({
  verified: z.int().describe('Number of unchanged entries before the first changed one'),
  head: z
    .object({
      id: z.int().describe('Number of the newest entry; 0: the log is empty'),
      hash: z.string().describe('Hexadecimal'),
    })
    .describe(
      'Newest verified entry. Keep it where an attacker of the database cannot change it: it proves later changes of the log',
    ),
  broken: z
    .object({
      id: z.int().describe('First changed entry'),
      fault: z
        .enum(['altered', 'missing', 'unlinked', 'unexpected'])
        .describe(
          'altered: the entry does not match its hash. missing: the entry does not exist. unlinked: the entry does not follow the previous one. unexpected: the entry does not match the head of the log or the expected checkpoint',
        ),
    })
    .nullable()
    .describe('First problem; null: the log is unchanged'),
});
export type AuditVerificationBody = z.infer<typeof auditVerificationSchema>;
