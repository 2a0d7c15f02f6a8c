import { z } from 'zod';

const json = z.unknown();

/** What an event must be to be the one that is waited for. */
export const waitFilterSchema = z.object({
  with: z.record(z.string(), json).describe('attributes; texts may be regular expressions, expressions are as written'),
  correlate: z.record(
    z.string(),
    z.object({
      from: z.string().describe('expression on the event'),
      expect: json.optional().describe('what it has to yield; absent: whatever the first event yields'),
    }),
  ),
});

/** An execution that waits for an event. */
export const waitSchema = z.object({
  executionId: z.string().describe('exec_…'),
  wait: z.string().describe('unique in its execution'),
  step: z.string().describe('path of the step in the definition'),
  mode: z.enum(['one', 'any', 'all']).describe('how many of the filters need an event'),
  filters: z.array(waitFilterSchema),
  since: z.iso.datetime(),
  workflow: z.object({
    id: z.string(),
    name: z.string(),
    title: z.string().nullable(),
    summary: z.string().nullable(),
  }),
  input: json.optional().describe('of the execution; left out when it has more than 16 KiB'),
});
