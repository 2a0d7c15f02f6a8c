import { describe, expect, test } from 'vitest';
import { canAsk, decideTool, mayOffer, permissionsOf } from '#api/agents/permissions/decide-tool.ts';
import { keepPermissions } from '#api/agents/permissions/keep-permissions.ts';
import { LEAST_PERMISSIONS, permissionsSchema, type ToolDecision } from '#api/agents/permissions/permission-config.ts';
import { matchesPattern } from '#api/agents/permissions/text-pattern.ts';

describe('a pattern', () => {
  test.each([
    ['http.fetch', 'http.fetch', true],
    ['http.fetch', 'http.fetch2', false],
    ['*', '', true],
    ['files.*', 'files.read', true],
    ['files.*', 'files', false],
    ['*.read', 'mcp.a.read', true],
    ['a*b*c', 'a1b2b3c', true],
    ['a*b*c', 'a1c2b', false],
    ['a.c', 'abc', false],
    ['', '', true],
    ['', 'a', false],
  ])('%s of %s: %s', (pattern, text, expected) => expect(matchesPattern(pattern, text)).toBe(expected));

  test('is matched without exponential time', () => {
    expect(matchesPattern('*a'.repeat(40), `${'a'.repeat(20_000)}b`)).toBe(false);
  });
});

const fetching = permissionsOf({
  permissions: {
    rules: [
      { tool: 'http.fetch', arguments: { url: 'https://api.example.org/*', method: 'GET' }, decision: 'allow' },
      { tool: 'http.*', decision: 'ask' },
      { tool: '*', arguments: { url: 'https://api.example.org/admin*' }, decision: 'deny' },
    ],
  },
});

describe('permissions', () => {
  test.each<[string, string, object, ToolDecision]>([
    ['ask precedes allow', 'http.fetch', { url: 'https://api.example.org/a', method: 'GET' }, 'ask'],
    ['deny precedes ask', 'http.fetch', { url: 'https://api.example.org/admin/x', method: 'GET' }, 'deny'],
    ['hosts in capitals are the same', 'http.fetch', { url: 'HTTPS://API.EXAMPLE.ORG/admin', method: 'GET' }, 'deny'],
    [
      'detours in paths are followed',
      'http.fetch',
      { url: 'https://api.example.org/x/../admin', method: 'GET' },
      'deny',
    ],
    ['spaces before an address are left out', 'http.fetch', { url: ' https://api.example.org/admin' }, 'deny'],
    ['what no rule names is denied', 'workflows.run', { workflow: 'w' }, 'deny'],
  ])('%s', (_, tool, given, expected) => expect(decideTool(fetching, tool, given as never)).toBe(expected));

  test('an allowed address does not allow another host or method', () => {
    const only = permissionsOf({
      permissions: {
        rules: [{ tool: 'http.fetch', arguments: { url: 'https://a.example/*', method: 'GET' }, decision: 'allow' }],
      },
    });
    const decide = (url: string, method = 'GET') => decideTool(only, 'http.fetch', { url, method });
    expect(decide('https://a.example/x')).toBe('allow');
    for (const url of ['https://a.example.evil/x', 'https://a.example@evil/x', 'https://evil/https://a.example/'])
      expect(decide(url)).toBe('deny');
    expect(decide('https://a.example/x', 'POST')).toBe('deny');
    expect(decideTool(only, 'http.fetch', { method: 'GET' })).toBe('deny');
    expect(decideTool(only, 'http.fetch', { url: ['https://a.example/'], method: 'GET' })).toBe('deny');
  });

  test('an allowed host pattern does not match within a path', () => {
    const within = (url: string) => ({
      rules: [{ tool: 'http.fetch', arguments: { url }, decision: 'allow' as const }],
    });
    const decide = (pattern: string, url: string) =>
      decideTool(permissionsOf({ permissions: within(pattern) }), 'http.fetch', { url });
    const hosts = 'https://*.example.org/*';
    expect(decide(hosts, 'https://a.example.org/x')).toBe('allow');
    expect(decide(hosts, 'https://a.b.example.org./x')).toBe('allow');
    for (const url of ['https://evil/.example.org/x', 'https://evil?.example.org/', 'https://evil#.example.org/'])
      expect(decide(hosts, url)).toBe('deny');
    for (const pattern of ['*', 'https://*', 'http*://a.example.org/*'])
      expect(decide(pattern, 'https://a.example.org/x')).toBe('allow');
    expect(decide('http*://a.example.org/*', 'https://evil/://a.example.org/')).toBe('deny');
    expect(decide('https://a.example.org', 'https://a.example.org/')).toBe('deny');
  });

  test('a restriction cannot be bypassed by another spelling or form of an argument', () => {
    const permissions = permissionsOf({
      permissions: {
        default: 'allow',
        rules: [
          { tool: '*', arguments: { url: 'https://admin.example.org/*' }, decision: 'deny' },
          { tool: '*', arguments: { path: '/etc/*' }, decision: 'ask' },
        ],
      },
    });
    for (const url of [
      'https://admin.example.org./x',
      '\u0001https://admin.example.org/x',
      'ht\ttps://admin.example.org/x',
      'https:admin.example.org/x',
      ['https://admin.example.org/x'],
      { href: 'https://admin.example.org/x' },
    ])
      expect(decideTool(permissions, 'mcp.a.read', { url })).toBe('deny');
    expect(decideTool(permissions, 'mcp.a.read', { path: ['/etc/passwd'] })).toBe('ask');
    expect(decideTool(permissions, 'mcp.a.read', { path: 7 })).toBe('allow');
  });

  test('offers a tool if a call of it is possible', () => {
    expect(mayOffer(fetching, 'http.fetch')).toBe(true);
    expect(mayOffer(fetching, 'workflows.run')).toBe(false);
    const denied = permissionsOf({
      permissions: { default: 'allow', rules: [{ tool: 'http.*', decision: 'deny' }] },
    });
    expect(mayOffer(denied, 'http.fetch')).toBe(false);
    expect(mayOffer(denied, 'files.read')).toBe(true);
    const partly = permissionsOf({
      permissions: { rules: [{ tool: 'http.fetch', arguments: { method: 'GET' }, decision: 'ask' }] },
    });
    expect(mayOffer(partly, 'http.fetch')).toBe(true);
    expect([canAsk(partly), canAsk(denied), canAsk(permissionsOf({ permissions: { default: 'ask' } }))]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a configuration of an earlier version allows the tools that it names, or all', () => {
    expect(decideTool(permissionsOf({}), 'http.fetch', {})).toBe('allow');
    const named = permissionsOf({ tools: ['files.read'] });
    expect([decideTool(named, 'files.read', {}), decideTool(named, 'http.fetch', {})]).toEqual(['allow', 'deny']);
  });

  test('rejects unknown keys, because a misspelled rule would permit', () => {
    expect(permissionsSchema.safeParse({ rule: [] }).success).toBe(false);
    expect(permissionsSchema.safeParse({ rules: [{ tool: 'x', decision: 'denied' }] }).success).toBe(false);
  });
});

describe('the permissions that are stored', () => {
  test.each([
    ['a new agent', {}, undefined, { permissions: LEAST_PERMISSIONS }],
    ['a new agent that names tools', { tools: ['http.fetch'] }, undefined, { tools: ['http.fetch'] }],
    [
      'a change that leaves them out',
      { a: 1 },
      { permissions: { default: 'ask' } },
      { a: 1, permissions: { default: 'ask' } },
    ],
    [
      'a change that names tools alone',
      { tools: ['http.fetch'] },
      { permissions: { default: 'ask' } },
      { tools: ['http.fetch'], permissions: { default: 'ask' } },
    ],
    ['a change that leaves the tools out', {}, { tools: [] }, { permissions: LEAST_PERMISSIONS }],
    ['a change of an agent of an earlier version', { a: 1 }, {}, { a: 1 }],
  ])('%s', (_, config, before, expected) => expect(keepPermissions(config, before)).toEqual(expected));
});
