import { z } from 'zod';

export const triggerKindSchema = z
  .enum(['schedule', 'after', 'event', 'webhook'])
  .describe(
    'schedule: by clock; after: by the end of the last execution; event: by events; webhook: by a signed request',
  );

export const triggerSchema = z
  .object({
    id: z.string().describe('trg_…'),
    kind: triggerKindSchema,
    enabled: z.boolean(),
    spec: z.record(z.string(), z.unknown()).describe('what it goes by, as read from the definition; times are UTC'),
    problem: z.string().nullable().describe('why it can not work'),
    nextAt: z.iso.datetime().nullable().describe('when a schedule is due next'),
    lastAt: z.iso.datetime().nullable().describe('when it began something last'),
    missed: z.int().describe('times that were left out, because no worker was there'),
  })
  .describe('What makes executions of a workflow begin.');

export const triggerListSchema = z.object({ data: z.array(triggerSchema).describe('At most one of a kind') });
export const webhookSchema = z.object({
  path: z.string().describe('where deliveries are sent to with POST'),
  header: z.string().describe('the header they are signed in'),
  secret: z.string().describe('the key of their signatures; returned this once'),
});
export const deliveredSchema = z.object({ executionId: z.string().describe('exec_…') });
export type TriggerBody = z.infer<typeof triggerSchema>;
