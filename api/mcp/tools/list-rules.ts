import { z } from 'zod';
import { defineTool } from '../tool.ts';

export const tool = defineTool({
  title: 'List rules',
  description: 'Lists detection rules: id, name, severity, summary, whether each is on. get_rule returns the rest.',
  scope: 'detections:read',
  effect: 'reads',
  input: z.strictObject({}),
  request: () => ({ method: 'GET', path: '/api/rules' }),
  select: ({ data }) => ({ data: Array.isArray(data) ? data.map(shortRule) : data }),
});

function shortRule(rule: Readonly<Record<string, unknown>>) {
  const { id, name, version, severity, summary, enabled, origin } = rule;
  return { id, name, version, severity, summary, enabled, origin };
}
