import { z } from 'zod';

export const triggerKindSchema = z
  .enum(['schedule', 'after', 'event', 'webhook'])
  .describe(
    'schedule: at fixed times. after: after the end of the last execution. event: on matching events. webhook: on a signed request',
  );

export const triggerSchema = z
  .object({
    id: z.string().describe('trg_…'),
    kind: triggerKindSchema,
    enabled: z.boolean(),
    spec: z.record(z.string(), z.unknown()).describe('parameters of the trigger from the definition; times are UTC'),
    problem: z.string().nullable().describe('why the trigger does not work'),
    nextAt: z.iso.datetime().nullable().describe('next time of a schedule'),
    lastAt: z.iso.datetime().nullable().describe('last time at which the trigger started an execution'),
    missed: z.int().describe('scheduled times that were missed because no worker was running'),
  })
  .describe('Starts executions of a workflow.');

export const triggerListSchema = z.object({
  data: z.array(triggerSchema).describe('At most one trigger of each kind'),
});
export const webhookSchema = z.object({
  path: z.string().describe('URL that receives deliveries with POST'),
  header: z.string().describe('header that contains the signature'),
  secret: z.string().describe('secret for the signatures. Only this response contains it'),
});
export const deliveredSchema = z.object({ executionId: z.string().describe('exec_…') });
export type TriggerBody = z.infer<typeof triggerSchema>;
