import { z } from 'zod';
import { SEVERITIES } from '#schemas/detection.ts';
import { defineTool } from '../tool.ts';
import { pageFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Search cases',
  description: 'Lists cases, newest first, by status, severity, assignee, detection or a part of the title.',
  scope: 'cases:read',
  effect: 'reads',
  input: z.strictObject({
    status: z.string().max(100).optional().describe('Statuses, joined by commas, such as open,in_progress'),
    severity: z.enum(SEVERITIES).optional().describe('Only of this severity'),
    assignee: z.string().min(1).max(64).optional().describe('Only of this analyst'),
    detection: z.string().max(64).optional().describe('Only cases with this detection, det_…'),
    q: z.string().min(1).max(200).optional().describe('Part of the title, or the number'),
    ...pageFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/cases', query }),
});
