import { z } from 'zod';
import { keyIdSchema } from './api-keys.ts';

/** Maximum lifetime of a token: a week. */
const MAX_TOKEN_MINUTES = 7 * 24 * 60;

const hostnameSchema = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[\w.:-]+$/, 'letters, digits and . : _ - are expected')
  .describe('Name of the host in its events')
  .meta({ example: 'web-7' });

export const detectorParamsSchema = z.object({ hostname: hostnameSchema });

const versionSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(/^[ -~]+$/)
  .describe('Version of the detector');

export const newDetectorTokenSchema = z
  .strictObject({
    expiresInMinutes: z
      .int()
      .min(1)
      .max(MAX_TOKEN_MINUTES)
      .default(60)
      .describe('How long the token is valid, minutes; at most a week'),
    hostname: hostnameSchema
      .optional()
      .describe('The only host that may use the token. Needed to enrol a host again; not set: any new host'),
  })
  .meta({ example: { expiresInMinutes: 60 } });
export type NewDetectorTokenBody = z.infer<typeof newDetectorTokenSchema>;

export const detectorTokenSchema = z.object({
  id: z.string().describe('Names the token in the audit log'),
  token: z.string().describe('Returned this once: only a hash is kept'),
  expiresAt: z.string().describe('From then on the token is refused'),
});
export type DetectorTokenBody = z.infer<typeof detectorTokenSchema>;

export const enrolmentSchema = z
  .strictObject({
    token: z.string().min(1).max(128).describe('The one-time token'),
    hostname: hostnameSchema,
    version: versionSchema.optional(),
  })
  .meta({ example: { token: 'tld_…', hostname: 'web-7', version: '0.1.0' } });
export type EnrolmentBody = z.infer<typeof enrolmentSchema>;

export const enrolledSchema = z.object({
  hostname: hostnameSchema,
  keyId: keyIdSchema,
  apiKey: z.string().describe('Key of the host with the scope events:write: returned this once, and never again'),
});
export type EnrolledBody = z.infer<typeof enrolledSchema>;

const lagSchema = z
  .int()
  .min(0)
  .describe('Age of the oldest event that the server has not accepted, ms; 0: none waits');
const lostSchema = z.int().min(0).describe('Kernel records that were overwritten before the detector read them');
const refusedSchema = z
  .int()
  .min(0)
  .describe('Events that the server refused since the detector started, such as those of another host');
const droppedSchema = z
  .int()
  .min(0)
  .describe('Events that found no room in the spool of the host since the detector started: they are lost');
const settingsSchema = z
  .record(z.string().max(64), z.string().max(256))
  .refine((settings) => Object.keys(settings).length <= 32, 'at most 32 settings are expected')
  .describe('Kernel settings that decide which crashes are logged, by name');

export const detectorStatusSchema = z
  .strictObject({
    version: versionSchema,
    source: z.string().min(1).max(64).describe('What the detector reads').meta({ example: '/dev/kmsg' }),
    lagMs: lagSchema,
    lostRecords: lostSchema,
    refusedEvents: refusedSchema.optional(),
    droppedEvents: droppedSchema.optional(),
    settings: settingsSchema,
    hostname: hostnameSchema.optional().describe('Name of the host in its events; refused when the key is of another'),
  })
  .meta({
    example: { version: '0.1.0', source: '/dev/kmsg', lagMs: 0, lostRecords: 0, settings: {}, hostname: 'web-7' },
  });
export type DetectorStatusBody = z.infer<typeof detectorStatusSchema>;

export const detectorSchema = z.object({
  hostname: hostnameSchema,
  keyId: keyIdSchema,
  enrolledAt: z.string().describe('When the host was enrolled last'),
  version: versionSchema.nullable(),
  source: z.string().nullable().describe('What the detector reads; null: not reported yet'),
  lastSeenAt: z.string().nullable().describe('When the detector reported last; null: never'),
  silent: z.boolean().describe('True: there was no report for five minutes'),
  lagMs: lagSchema.nullable(),
  lostRecords: lostSchema.nullable(),
  refusedEvents: refusedSchema.nullable(),
  droppedEvents: droppedSchema.nullable(),
  settings: settingsSchema,
});
export const detectorsSchema = z.object({ data: z.array(detectorSchema) });
export type DetectorBody = z.infer<typeof detectorSchema>;
