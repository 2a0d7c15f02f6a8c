import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readServerCertificate, watchServerCertificate } from '#api/http/tls/certificate.ts';
import { makeCertificates } from '#test/support/services/certificates.ts';
import { waitFor } from '#test/support/wait-for.ts';

let folder: string;
const file = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trapline-tls-'));
  await makeCertificates(folder);
});
afterAll(() => rm(folder, { recursive: true }));

test('files that a server cannot use are refused by name', async () => {
  const [certFile, keyFile] = [file('server.crt'), file('server.key')];
  const pair = await readServerCertificate({ certFile, keyFile });
  expect(pair.validTo.getTime()).toBeGreaterThan(Date.now());
  const refusal = (files: { certFile: string; keyFile: string }) =>
    readServerCertificate(files).then(
      () => expect.unreachable(),
      (error: Error) => error.message,
    );
  expect(await refusal({ certFile, keyFile: file('client.key') })).toBe(
    `the key in ${file('client.key')} is not that of ${certFile}`,
  );
  expect(await refusal({ certFile: `${folder}/none`, keyFile })).toBe(`${folder}/none cannot be read (ENOENT)`);
  expect(await refusal({ certFile: keyFile, keyFile })).toBe(`${keyFile} contains no certificate in PEM format`);
  const damaged = file('damaged.crt');
  await writeFile(damaged, `${pair.cert}-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n`);
  expect(await refusal({ certFile: damaged, keyFile })).toBe(`TLS does not accept the certificates in ${damaged}`);
  expect(await refusal({ certFile, keyFile: certFile })).toBe(`${certFile} contains no private key without a password`);
});

test('a certificate without its new key is reported once, and used when the key has arrived', async () => {
  const files = { certFile: join(folder, 'live.crt'), keyFile: join(folder, 'live.key') };
  await copyFile(file('server.crt'), files.certFile);
  await copyFile(file('server.key'), files.keyFile);
  const changed: string[] = [];
  const failed: string[] = [];
  const end = watchServerCertificate(files, await readServerCertificate(files), {
    pollMs: 5,
    changed: ({ key }) => changed.push(key),
    failed: ({ message }) => failed.push(message),
  });
  onTestFinished(end);
  await copyFile(file('client.crt'), files.certFile);
  // A poll may read a file of which only a part is written.
  await waitFor('the report', async () => failed.some((message) => message.includes('is not that of')));
  expect(changed).toEqual([]);
  await copyFile(file('client.key'), files.keyFile);
  await waitFor('the change', async () => changed.length > 0);
  await writeFile(files.keyFile, 'no key');
  await waitFor('the next report', async () => failed.at(-1)?.includes('contains no private key') === true);
  expect(failed.filter((message) => message.includes('is not that of'))).toHaveLength(1);
  expect(changed).toHaveLength(1);
});
