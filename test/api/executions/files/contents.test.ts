import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createContents } from '#api/executions/files/contents.ts';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import { FileTooLarge } from '#api/executions/files/port.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { temporaryFolder } from './temporary-folder.ts';

const { database } = await usePostgres();
const contents = createContents({ database, store: createFolderStore({ folder: await temporaryFolder() }) });
const AGENT = `awf_${'a'.repeat(20)}`;

async function refer(path: string, contentHash: string) {
  const file = { path, contentHash, size: 1, contentType: 'text/plain', fromVersion: 1 };
  await database
    .insertInto('agentFiles')
    .values({ ...file, agentId: AGENT })
    .execute();
}

it('keeps referenced and recent contents, and deletes the rest', async () => {
  await database
    .insertInto('agents')
    .values({ id: AGENT, slug: 'files', name: 'files', description: '', config: '{}', ownerId: null })
    .execute();
  const kept = await contents.putBytes(randomBytes(100));
  const lost = await contents.put(Readable.from([randomBytes(50), randomBytes(50)]), 100);
  await refer('kept', kept.contentHash);
  expect(await contents.deleteUnreferenced()).toBe(0);
  expect(await contents.deleteUnreferenced(-1000)).toBe(1);
  expect((await contents.readBytes(kept.contentHash)).length).toBe(100);
  await expect(contents.read(lost.contentHash)).rejects.toThrow('lost a content');
  await expect(contents.put([randomBytes(101)], 100)).rejects.toThrow(FileTooLarge);
});

it('never deletes a content that is stored concurrently', async () => {
  for (let round = 0; round < 30; round++) {
    const bytes = randomBytes(64);
    const { contentHash } = await contents.putBytes(bytes);
    await database
      .updateTable('fileContents')
      .set({ storedAt: new Date(0) })
      .where('hash', '=', contentHash)
      .execute();
    const [again] = await Promise.all([contents.putBytes(bytes), contents.deleteUnreferenced()]);
    expect(again.contentHash).toBe(contentHash);
    expect((await contents.readBytes(contentHash)).equals(bytes)).toBe(true);
  }
});
