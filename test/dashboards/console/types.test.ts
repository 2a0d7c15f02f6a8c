import { expect, test } from 'vitest';
import { generateTypes } from '#dashboards/console/build/generate-types.ts';
import { ADMIN_KEY, useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();

test('the types of the console are those of the API as it is', async () => {
  const response = await fetch(`${server.url}/api/docs`, { headers: { 'x-admin-key': ADMIN_KEY } });
  const types = await generateTypes((await response.json()) as Parameters<typeof generateTypes>[0]);
  await expect(types).toMatchFileSnapshot('../../../dashboards/console/src/api/schema.d.ts');
});
