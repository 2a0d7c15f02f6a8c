import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read an event',
  description: 'Returns one event as it was received, with the ids of detections that rest on it.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the event') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/events/${id}` }),
});
