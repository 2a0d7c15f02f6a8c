import { expect, test } from 'vitest';
import { MCP_TOOLS } from '#api/mcp/tool-registry.ts';

test.each(['.', '..'])('no tool leaves its path with the id %j', (id) => {
  const withId = [...MCP_TOOLS].filter(([, { input }]) => 'id' in input.shape);
  expect(withId.length).toBeGreaterThan(10);
  for (const [, { input }] of withId) {
    const problems = input.safeParse({ id }).error?.issues ?? [];
    expect(problems).toContainEqual(expect.objectContaining({ path: ['id'], message: 'is not an id' }));
  }
});
