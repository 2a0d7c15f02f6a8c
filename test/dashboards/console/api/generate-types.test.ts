import { expect, test } from 'vitest';
import { generateTypes } from '#dashboards/console/build/generate-types.ts';

const kind = (type: string, settings: Record<string, unknown>) => ({
  type: 'object',
  properties: {
    name: { type: 'string' },
    type: { type: 'string', enum: [type] },
    settings: { type: 'object', properties: settings },
  },
  required: ['name', 'type', ...(Object.keys(settings).length > 0 ? ['settings'] : [])],
});

function typesOf(...kinds: readonly ReturnType<typeof kind>[]): Promise<string> {
  const body = { content: { 'application/json': { schema: { oneOf: kinds } } } };
  const paths = { '/api/outputs': { post: { requestBody: body, responses: { 204: {} } } } };
  return generateTypes({ openapi: '3.0.3', info: { title: 'API', version: '1' }, paths, components: { schemas: {} } });
}

const KINDS = [kind('chat', { url: { type: 'string' } }), kind('workflows', {})];

test('keeps the generated types when a registry gets a new kind', async () => {
  const before = await typesOf(...KINDS);
  expect(await typesOf(...KINDS, kind('ntfy', { topic: { type: 'string' } }))).toBe(before);
  expect(before).toMatch(/settings\?: \{\s*\[key: string\]: unknown;/);
  expect(before).toContain('type: string;');
});
