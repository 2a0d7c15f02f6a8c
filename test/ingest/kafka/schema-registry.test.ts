import { createServer } from 'node:http';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { createSchemaIds } from '#ingest/kafka/schema-registry.ts';
import { publishableSchemas } from '#schemas/events/publishable.ts';
import { freePort } from '#test/support/services/free-ports.mjs';
import { startSchemaRegistry } from '#test/support/services/schema-registry.ts';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';
import { randomName, useSchemaRegistry } from '#test/support/use-services.ts';

let url: string;
/** Generous timeout: the registry has just started, possibly on a busy machine. */
const schemaIds = (of: { readonly url: string; readonly topic: string }) =>
  createSchemaIds({ ...of, timeoutMs: 60_000 });

beforeAll(async () => {
  ({ url } = await useSchemaRegistry());
});

/** Registers a schema as another client would. */
async function register(subject: string, schema: object, schemaType?: string): Promise<number> {
  const response = await fetch(`${url}/subjects/${subject}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schema: JSON.stringify(schema), ...(schemaType === undefined ? {} : { schemaType }) }),
  });
  const { id } = (await response.json()) as { id: number };
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return id;
}

const draft = 'http://json-schema.org/draft-07/schema#';

test('publishes its schemas once, under the subject of the topic, and recognises their ids', async () => {
  const topic = randomName('topic');
  const ids = schemaIds({ url, topic });
  const published = await ids.publish();
  expect([...published.keys()]).toEqual(publishableSchemas().map(({ version }) => version));
  const id = published.get('V1') ?? -1;
  expect(ids.isOurs(id)).toBe(true);
  expect(await schemaIds({ url, topic }).publish()).toEqual(published);
  const versions = await fetch(`${url}/subjects/${topic}-value/versions`);
  expect(await versions.json()).toHaveLength(published.size);
  const stored = await fetch(`${url}/schemas/ids/${id}`);
  // All 20 digits of the largest value are kept: the registry stores the text, not parsed numbers.
  expect(((await stored.json()) as { schema: string }).schema).toContain('18446744073709551615');
});

test('a process that has published nothing recognises the schemas', async () => {
  const topic = randomName('topic');
  const id = (await schemaIds({ url, topic }).publish()).get('V1') ?? -1;
  const ids = schemaIds({ url, topic });
  expect(ids.isOurs(id)).toBeUndefined();
  expect(await Promise.all([ids.resolve(id), ids.resolve(id)])).toEqual(['ours', 'ours']);
  expect(ids.isOurs(id)).toBe(true);
});

test('a schema with another text is accepted by $id or subject, and foreign otherwise', async () => {
  const topic = randomName('topic');
  const ids = schemaIds({ url, topic });
  const ourId = (JSON.parse(publishableSchemas()[0]?.text ?? '{}') as { $id: string }).$id;
  const salt = randomName('text');
  const [named, inSubject, elsewhere, avro] = [
    await register(randomName('other'), { $schema: draft, $id: ourId, type: 'object', description: salt }, 'JSON'),
    await register(`${topic}-value`, { $schema: draft, type: 'object', title: salt, properties: {} }, 'JSON'),
    await register(
      randomName('other'),
      { $schema: draft, type: 'object', title: `other ${salt}`, properties: {} },
      'JSON',
    ),
    await register(randomName('other'), { type: 'record', name: salt, fields: [] }),
  ];
  expect(await Promise.all([named, inSubject, elsewhere, avro].map((id) => ids.resolve(id)))).toEqual([
    'ours',
    'ours',
    'foreign',
    'foreign',
  ]);
  expect(ids.isOurs(elsewhere)).toBe(false);
});

test('an id that the registry lacks is unknown, and queried again', async () => {
  const ids = schemaIds({ url, topic: randomName('topic') });
  expect(await ids.resolve(2_000_000_000)).toBe('unknown');
  expect(ids.isOurs(2_000_000_000)).toBeUndefined();
});

test('an unreachable registry is unavailable until it responds again', async () => {
  await temporaryFolder('registry-data', async (dataDir) => {
    const registry = await startSchemaRegistry({ dataDir, port: await freePort() });
    try {
      const topic = randomName('topic');
      const id = (await schemaIds({ url: registry.url, topic }).publish()).get('V1') ?? -1;
      await registry.kill9();
      const ids = schemaIds({ url: registry.url, topic });
      expect(await ids.resolve(id)).toBe('unavailable');
      expect(ids.isOurs(id)).toBeUndefined();
      await expect(ids.publish()).rejects.toMatchObject({
        name: 'RegistryFailure',
        message: expect.stringMatching(/^the schema registry did not .*: ECONNREFUSED$/),
        status: undefined,
      });
      await registry.restart();
      // A killed registry may have lost its last registration.
      const again = (await ids.publish()).get('V1') ?? -1;
      expect(await schemaIds({ url: registry.url, topic }).resolve(again)).toBe('ours');
      expect(await ids.resolve(again)).toBe('ours');
    } finally {
      await registry.stop();
    }
  });
});

test('a server that is not a registry is unavailable, and no id becomes unknown', async () => {
  const ids = createSchemaIds({ url: url.replace('/apis/ccompat/v7', '/nowhere'), topic: 'any', timeoutMs: 2000 });
  expect(await ids.resolve(1)).toBe('unavailable');
});

test('a response without an end is cut off, and the registry is unavailable', async () => {
  const { promise: cutOff, resolve } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    const write = () => {
      while (!response.destroyed && response.write(Buffer.alloc(2 ** 16, ' ')));
    };
    response.on('drain', write).on('close', resolve);
    write();
  });
  onTestFinished(() => void server.close());
  const port = await freePort();
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
  expect(await schemaIds({ url: `http://127.0.0.1:${port}`, topic: 'any' }).resolve(1)).toBe('unavailable');
  await cutOff;
});
