import { z } from 'zod';
import { eventKeyProblem } from './event-key.ts';
import { executionStatusSchema } from './executions.ts';
import { storableText } from './storable-text.ts';

/** These attributes are stored in columns. */
const attribute = storableText(1000);

/** CloudEvents 1.0, JSON format. Extensions are scalars; their names consist of lower-case letters and digits. */
export const cloudEventSchema = z
  .object({
    specversion: z.literal('1.0'),
    id: attribute,
    source: attribute,
    type: attribute,
    subject: attribute.optional(),
    time: z.iso.datetime({ offset: true }).optional(),
    datacontenttype: z
      .string()
      .regex(/^application\/(?:[\w.+-]+\+)?json(?:;.*)?$/i, 'must be JSON')
      .optional(),
    dataschema: attribute.optional(),
    data: z.unknown().optional(),
  })
  .catchall(z.union([z.string().max(1000), z.number(), z.boolean()]))
  .superRefine((event, context) => {
    for (const name of Object.keys(event))
      if (!/^[a-z0-9]{1,30}$/.test(name))
        context.addIssue({ code: 'custom', path: [name], message: 'names of attributes are small letters and digits' });
    const problem = eventKeyProblem(event);
    if (problem !== undefined) context.addIssue({ code: 'custom', path: [problem.field], message: problem.message });
  });

export const sendEventsResponseSchema = z.object({
  accepted: z.int().describe('number of new events'),
  duplicates: z.int().describe('number of duplicates, by source and id'),
});

export const signalResponseSchema = z.object({
  executionId: z.string(),
  eventId: z.string(),
  state: z
    .enum(['pending', 'replied', 'too-large', 'ended'])
    .describe(
      'too-large: the reply is larger than 256 KiB and was discarded. ended: the execution ended without a reply',
    ),
  executionStatus: executionStatusSchema,
  reply: z.record(z.string(), z.unknown()).nullable().describe('CloudEvent that the execution sent as the reply'),
});
