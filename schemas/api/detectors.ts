import { z } from 'zod';
import { keyIdSchema } from './api-keys.ts';

/** Maximum lifetime of a token: a week. */
const MAX_TOKEN_MINUTES = 7 * 24 * 60;

const hostnameSchema = z
  .string()
  .min(1)
  .max(253)
  .regex(/^[\w.:-]+$/, 'must be letters, digits and . : _ -')
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
      .describe('Validity of the token in minutes; at most a week'),
    hostname: hostnameSchema
      .optional()
      .describe('The only host that may use the token. Required to enrol a host again; absent: any new host'),
  })
  .meta({ example: { expiresInMinutes: 60 } });
export type NewDetectorTokenBody = z.infer<typeof newDetectorTokenSchema>;

export const detectorTokenSchema = z.object({
  id: z.string().describe('Id of the token in the audit log'),
  token: z.string().describe('The token. Only this response contains it, because the server stores only a hash'),
  expiresAt: z.string().describe('Time at which the token expires'),
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
  apiKey: z.string().describe('API key of the host, with the scope events:write. Only this response contains it'),
});
export type EnrolledBody = z.infer<typeof enrolledSchema>;

const lagSchema = z
  .int()
  .min(0)
  .describe('Age of the oldest event that the server has not yet accepted, ms; 0: no event is waiting');
const lostSchema = z
  .int()
  .min(0)
  .describe('Number of kernel records that were overwritten before the detector read them');
const refusedSchema = z
  .int()
  .min(0)
  .describe('Number of events that the server rejected since the detector started, such as events of another host');
const droppedSchema = z
  .int()
  .min(0)
  .describe('Number of events lost since the detector started, because the spool of the host was full');
const settingsSchema = z
  .record(z.string().max(64), z.string().max(256))
  .refine((settings) => Object.keys(settings).length <= 32, 'must have at most 32 settings')
  .describe('Kernel settings that decide which crashes are logged, by name');

export const detectorStatusSchema = z
  .strictObject({
    version: versionSchema,
    source: z.string().min(1).max(64).describe('Sources that the detector reads').meta({ example: '/dev/kmsg' }),
    lagMs: lagSchema,
    lostRecords: lostSchema,
    refusedEvents: refusedSchema.optional(),
    droppedEvents: droppedSchema.optional(),
    settings: settingsSchema,
    hostname: hostnameSchema.optional().describe('Name of the host in its events. It must be the host of the key'),
  })
  .meta({
    example: { version: '0.1.0', source: '/dev/kmsg', lagMs: 0, lostRecords: 0, settings: {}, hostname: 'web-7' },
  });
export type DetectorStatusBody = z.infer<typeof detectorStatusSchema>;

export const detectorSchema = z.object({
  hostname: hostnameSchema,
  keyId: keyIdSchema,
  enrolledAt: z.string().describe('Time of the last enrolment'),
  version: versionSchema.nullable(),
  source: z.string().nullable().describe('Sources that the detector reads; null: not reported yet'),
  lastSeenAt: z.string().nullable().describe('Time of the last report; null: never'),
  silent: z.boolean().describe('true: no report for five minutes'),
  lagMs: lagSchema.nullable(),
  lostRecords: lostSchema.nullable(),
  refusedEvents: refusedSchema.nullable(),
  droppedEvents: droppedSchema.nullable(),
  settings: settingsSchema,
});
export const detectorsSchema = z.object({ data: z.array(detectorSchema) });
export type DetectorBody = z.infer<typeof detectorSchema>;
