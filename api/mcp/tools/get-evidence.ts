import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { idField, pageFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'List the evidence of a detection',
  description: 'Lists the events that a detection rests on, newest first.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({ detection: idField('the detection, det_…'), ...pageFields }),
  request: (query) => ({ method: 'GET', path: '/api/events', query }),
});
