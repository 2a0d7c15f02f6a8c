import { describe, expect, test } from 'vitest';
import { createContents } from '#api/executions/files/contents.ts';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import { storedType } from '#api/executions/files/stored-type.ts';
import { usePostgres } from '#test/support/use-services.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** Regression: the sender chose the type of a stored file. */

const PNG = Buffer.from('89504e470d0a1a0a0000000d4948445200000001000000010806000000', 'hex');
const PDF = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');
const ELF = Buffer.concat([Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(60)]);

describe('detection by content', () => {
  test.each<[string, Uint8Array, string, string]>([
    ['a picture that is called text', PNG, 'text/plain', 'image/png'],
    ['a program that is called a document', ELF, 'application/pdf', 'application/x-elf'],
    ['a document', PDF, '', 'application/pdf'],
    ['text that is called a document', Buffer.from('hello'), 'application/pdf', 'text/plain; charset=utf-8'],
    ['text that is called nothing', Buffer.from('hello'), 'application/octet-stream', 'text/plain; charset=utf-8'],
    ['text of a format', Buffer.from('{"a":1}'), 'application/json; charset=utf-8', 'application/json'],
    ['text of another format', Buffer.from('# Title'), 'text/markdown', 'text/markdown'],
    ['a page', Buffer.from('<script>1</script>'), 'text/html', 'text/plain; charset=utf-8'],
    ['bytes that are called text', Buffer.from([0, 1, 2, 255]), 'text/plain', 'application/octet-stream'],
    ['bytes that are called a picture', Buffer.from([0, 1, 2, 255]), 'image/png', 'application/octet-stream'],
    ['an invalid type', Buffer.from('hello'), 'text/x\r\ny: z', 'text/plain; charset=utf-8'],
    ['an empty file', Buffer.alloc(0), 'text/markdown', 'text/markdown'],
    ['an empty file that is called a picture', Buffer.alloc(0), 'image/png', 'text/plain'],
  ])('%s', async (_what, bytes, claimed, expected) => {
    expect(await storedType(bytes, claimed)).toBe(expected);
  });
});

test('detects the type of a content that arrives in chunks, and stores it completely', async () => {
  const { database } = await usePostgres();
  const contents = createContents({ database, store: createFolderStore({ folder: await temporaryFolder() }) });
  const whole = Buffer.concat([PNG, Buffer.alloc(20_000, 7)]);
  const pieces = function* () {
    for (let at = 0; at < whole.length; at += 3) yield whole.subarray(at, at + 3);
  };
  const { contentHash, contentType, size } = await contents.put(pieces(), 200_000, 'text/plain');
  expect([contentType, size]).toEqual(['image/png', whole.length]);
  expect((await contents.readBytes(contentHash)).equals(whole)).toBe(true);
});
