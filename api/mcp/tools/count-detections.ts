import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { detectionFields, searchField, subjectFields, timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Count detections',
  description:
    'Counts detections over time and by rule, severity, state, verdict, host and program. Default: the last 24 hours.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    ...timeFields,
    ...detectionFields,
    ...subjectFields,
    q: searchField('hostname, procname, rule, severity, status, verdict'),
  }),
  request: (query) => ({ method: 'GET', path: '/api/detections/summary', query }),
});
