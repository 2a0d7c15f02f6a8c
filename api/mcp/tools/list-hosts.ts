import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pageFields, timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List hosts',
  description: 'Lists hosts that sent events with counts of events, crashes, programs and detections, and their risk.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    ...timeFields,
    hostname: z.string().min(1).max(4_096).optional().describe('Exactly this host'),
    q: z.string().min(1).max(1_000).optional().describe('Text anywhere in the name of the host'),
    figures: z
      .string()
      .max(400)
      .optional()
      .describe('Conditions such as crashes>=10,risk>=70,openDetections!=0, joined by commas'),
    sort: z.enum(['lastSeen', 'risk']).optional().describe('By latest event (default) or by risk, highest first'),
    ...pageFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/hosts', query }),
});
