import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { apiPath, idField } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Read an event',
  description: 'Returns one event as received, with the ids of the detections that use it as evidence.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({ id: idField('the event') }),
  request: ({ id }) => ({ method: 'GET', path: apiPath`/api/events/${id}` }),
});
