import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { detectionFields, pageFields, searchField, subjectFields, timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Search detections',
  description: 'Lists detections, newest first, by time, rule, severity, state, host, program or a search.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    ...timeFields,
    ...detectionFields,
    ...subjectFields,
    q: searchField('hostname, procname, rule, severity, status, verdict, assignee, technique'),
    ...pageFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/detections', query }),
});
