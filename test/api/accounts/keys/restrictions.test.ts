import { expect, test } from 'vitest';
import { restrictionsOf, routeGroup, routeRight } from '#api/accounts/keys/restrictions.ts';

const KEY = ['workflow:nightly', 'agent:awf_1'];

test.each([
  ['/api/v1/workflows/:id/run', { id: 'nightly' }, 'permitted'],
  ['/api/v1/workflows/:id', { id: 'other' }, 'refused'],
  ['/api/v1/workflows/:id', { id: 'awf_1' }, 'refused'],
  ['/api/v1/agents/:agentId/run', { agentId: 'awf_1' }, 'permitted'],
  ['/api/v1/agents/:agentId/run', { agentId: 'nightly' }, 'refused'],
  ['/api/v1/workflows/executions/:executionId', { executionId: 'exec_1' }, { execution: 'exec_1' }],
  ['/api/v1/agents/executions/:executionId/cancel', { executionId: 'exec_1' }, { execution: 'exec_1' }],
  ['/api/v1/executions/:executionId/events', { executionId: 'exec_1' }, { execution: 'exec_1' }],
  ['/api/v1/workflows', {}, 'refused'],
  ['/api/v1/workflows/check', {}, 'refused'],
  ['/api/v1/executions', {}, 'refused'],
  ['/api/v1/secrets/:name', { name: 'nightly' }, 'refused'],
  ['/api/events', {}, 'refused'],
  ['/mcp', {}, 'permitted'],
] as const)('%s with %j: %j', (route, params, right) => {
  expect(routeRight(KEY, route, params)).toEqual(right);
});

test('a key that names no resource may call every route', () => {
  expect(routeRight([], '/api/events', {})).toBe('permitted');
});

test.each([
  ['/api/v1/workflows/:id/run', 'workflows'],
  ['/api/events', 'events'],
  ['/mcp', 'mcp'],
  ['', 'other'],
])('%s belongs to %s', (route, group) => {
  expect(routeGroup(route)).toBe(group);
});

test('a key without restrictions has none', () => {
  const none = { networks: [], resources: [], requestsPerMinute: null, requestsPerDay: null };
  expect(restrictionsOf(none)).toBeUndefined();
  expect(restrictionsOf({ ...none, requestsPerDay: 5 })).toEqual({ ...none, requestsPerDay: 5 });
});
