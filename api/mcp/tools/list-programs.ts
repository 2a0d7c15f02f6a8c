import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pageFields, timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List programs',
  description: 'Lists programs by host with counts of events, crashes and detections, and their risk.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    ...timeFields,
    hostname: z.string().min(1).max(4_096).optional().describe('Exactly this host'),
    procname: z.string().min(1).max(4_096).optional().describe('Exactly this program'),
    sort: z.enum(['lastSeen', 'risk']).optional().describe('By latest event (default) or by risk, highest first'),
    ...pageFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/processes', query }),
});
