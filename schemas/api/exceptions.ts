import { z } from 'zod';
import { detectionIdSchema } from './detections.ts';
import { storableText } from './storable-text.ts';

const pattern = (what: string) =>
  storableText(512).optional().describe(`${what}; \`*\` any text, \`?\` one character, all of the value must match`);

const subject = {
  hostname: pattern('Host'),
  program: pattern('Process name or program'),
  file: pattern('Mapped file'),
  rule: pattern('Id of the rule'),
  expires: z
    .string()
    .max(64)
    .nullable()
    .optional()
    .describe('RFC 3339; compared with the time of the evidence. null: never'),
  detection: detectionIdSchema
    .optional()
    .describe(
      'Detection to create the exception from. If hostname, program, file and rule are all absent, the exception covers its rule on its host for its program',
    ),
};

/** A preview of the detections that an exception would silence. All given fields must match. */
export const exceptionPreviewRequestSchema = z.strictObject(subject);

/** A new exception. */
export const exceptionRequestSchema = z.strictObject({
  ...subject,
  reason: storableText(2000).describe('Why'),
});

export const exceptionIdSchema = z
  .string()
  .regex(/^exc_[0-9a-f]{32}$/, 'must be the id of an exception')
  .describe('Id of an exception');

export const exceptionSchema = z.object({
  id: z.string(),
  hostname: z.string().nullable(),
  program: z.string().nullable(),
  file: z.string().nullable(),
  rule: z.string().nullable(),
  expires: z.string().nullable(),
  reason: z.string(),
  detection: z.string().nullable().describe('Detection that the exception was created from'),
  createdAt: z.iso.datetime(),
  createdBy: z.string(),
  createdByName: z.string().nullable().describe('Name of the user, or of the key and its user; null: unknown'),
  endedAt: z.iso.datetime().nullable().describe('Time of the removal; null: the exception is active'),
  endedBy: z.string().nullable(),
  endedByName: z.string().nullable().describe('As createdByName'),
  request: z.string().nullable().describe('Approved request that created the exception'),
});

export const createdExceptionSchema = exceptionSchema.extend({
  silenced: z
    .int()
    .nullable()
    .describe('Number of open detections that were silenced immediately; null: they will be silenced within seconds'),
});

const namedInFile = z.string().optional();

export const exceptionListSchema = z.object({
  data: z.array(exceptionSchema).describe('Exceptions created through the API, newest first'),
  file: z
    .array(
      z.looseObject({
        id: z.string(),
        hostname: namedInFile,
        program: namedInFile,
        file: namedInFile,
        rule: namedInFile,
        reason: z.string(),
      }),
    )
    .describe('Exceptions of the rules file, which only the operator can change. They have precedence'),
  limit: z.int().describe('The requested page size'),
  nextCursor: z.string().nullable().describe('null on the last page'),
});

export const exceptionPreviewSchema = z.object({
  exception: z.looseObject({}).describe('The exception as it would be created'),
  examined: z.int().describe('Number of examined detections, newest first'),
  complete: z.boolean().describe('false if there are more'),
  silenced: z.int().describe('Number of detections that it would have silenced'),
  open: z.int().describe('Number of these detections that are open'),
  examples: z
    .array(
      z.object({
        id: z.string(),
        rule: z.string(),
        hostname: z.string().nullable(),
        procname: z.string().nullable(),
        file: z.string().nullable(),
        lastSeen: z.string(),
        message: z.string(),
      }),
    )
    .describe('The newest of them, at most 20'),
});
