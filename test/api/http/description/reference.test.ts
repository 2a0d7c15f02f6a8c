import { expect, test } from 'vitest';
import type { Document } from '#api/http/description/document.ts';
import { referencePage } from '#api/http/description/reference.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();

test('docs/reference/http-api.md is the reference of the API as it is', async () => {
  const description = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as Document;
  // With -u the page is written again.
  await expect(referencePage(description)).toMatchFileSnapshot('../../../../docs/reference/http-api.md');
});
