import { expect, test } from 'vitest';
import type { Document } from '#api/http/description/document.ts';
import { referencePage } from '#api/http/description/reference.ts';
import { generateTypes } from '#dashboards/console/build/generate-types.ts';
import { clientDescription } from './client-description.ts';
import { LIST_EXCEPTIONS, OFFSET_LISTS } from './list-exceptions.ts';
import { differencesOf, listsByOffset } from './list-form.ts';
import { pythonModels } from './python-models.ts';
import { useDescriptions } from './use-descriptions.ts';

/**
 * Generates everything that is derived from the OpenAPI descriptions of a server. One server is enough for all.
 * linters.long.test.ts checks the descriptions.
 */

const descriptions = await useDescriptions();

test('docs/reference/http-api.md is up to date', async () => {
  // With -u, writes the page again.
  await expect(referencePage(JSON.parse(descriptions.ofClients) as Document)).toMatchFileSnapshot(
    '../../../../docs/reference/http-api.md',
  );
});

test('the API types of the console are up to date', async () => {
  const types = await generateTypes(JSON.parse(descriptions.all) as Parameters<typeof generateTypes>[0]);
  await expect(types).toMatchFileSnapshot('../../../../dashboards/console/src/api/schema.d.ts');
});

test('the generated types of the TypeScript client are up to date', async () => {
  const document = clientDescription(JSON.parse(descriptions.all) as Document);
  const header =
    '// Generated from the OpenAPI description of the API; see test/api/http/description. Not to be edited.\n';
  const types = await generateTypes(document as unknown as Parameters<typeof generateTypes>[0], {
    header,
    described: true,
  });
  await expect(types).toMatchFileSnapshot('../../../../api/clients/typescript/src/types/generated.ts');
});

test('the generated models of the Python client are up to date', async () => {
  const models = pythonModels(clientDescription(JSON.parse(descriptions.all) as Document));
  await expect(models).toMatchFileSnapshot('../../../../api/clients/python/src/trapline/_models/generated.py');
});

test('lists have one form, apart from the exceptions', () => {
  const document = JSON.parse(descriptions.all) as Document;
  const found = differencesOf(document);
  const others = found.filter((one) => !LIST_EXCEPTIONS[one.operationId]?.allowed.includes(one.difference));
  expect(others).toEqual([]);
  // An exception that is no longer needed must be removed.
  for (const [operationId, { allowed }] of Object.entries(LIST_EXCEPTIONS))
    for (const difference of allowed)
      expect(found).toContainEqual(expect.objectContaining({ operationId, difference }));
  expect(listsByOffset(document).sort()).toEqual(Object.keys(OFFSET_LISTS).sort());
});
