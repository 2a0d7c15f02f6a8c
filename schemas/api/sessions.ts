import { z } from 'zod';

export const sessionIdSchema = z
  .uuid()
  .describe('Id of the session')
  .meta({ example: '0b8f6a3e-9a44-4d3b-8f57-6f1a0c9d2e11' });

/** A session of the caller. */
export const sessionSchema = z.object({
  id: sessionIdSchema,
  current: z.boolean().describe('Whether this request uses the session').meta({ example: true }),
  createdAt: z.string().describe('Time of the sign-in').meta({ example: '2026-01-02T03:04:05.678Z' }),
  expiresAt: z.string().describe('Time at which the session expires').meta({ example: '2026-01-02T15:04:05.678Z' }),
  ip: z.string().describe('IP address of the sign-in').meta({ example: '192.0.2.17' }),
  userAgent: z.string().describe('`User-Agent` of the sign-in').meta({ example: 'Mozilla/5.0 (X11; Linux x86_64)' }),
});
export type SessionBody = z.infer<typeof sessionSchema>;
