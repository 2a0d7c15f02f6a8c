import { z } from 'zod';
import { defineTool } from '../tool.ts';
import { pageFields, searchField, subjectFields, timeFields } from '../tool-fields.ts';

export const tool = defineTool({
  title: 'Search events',
  description: 'Lists events (crashes and kernel messages of hosts), newest first, by time, host, program or a search.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({
    ...timeFields,
    ...subjectFields,
    q: searchField('hostname, procname, type, pid, ip, sp, trap, signal, function_name, location'),
    ...pageFields,
  }),
  request: (query) => ({ method: 'GET', path: '/api/events', query }),
});
