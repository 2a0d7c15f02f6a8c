import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField, pageFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List the changes of a detection',
  description:
    'Lists changes of status, verdict, assignee and note of a detection, newest first, with author and time.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the detection, det_…'), ...pageFields }),
  request: ({ id, ...query }) => ({ method: 'GET', path: apiPath`/api/detections/${id}/history`, query }),
});
