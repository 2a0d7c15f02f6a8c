import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import corrected from '#ingest/kafka/corrected-client.json' with { type: 'json' };
import { applyPatches, PATCHES } from '../../bin/patches/apply.mjs';

const installed = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const require = createRequire(import.meta.url);

test('the patches are applied to the installed packages, and applying them again changes nothing', async () => {
  const said: string[] = [];
  await applyPatches({ log: (line) => void said.push(line) });
  expect(said).toEqual([]);
});

test('the digests that processes verify at start are those of the patched files', () => {
  const [kafkajs] = PATCHES;
  const digest = (file: string) =>
    createHash('sha256')
      .update(readFileSync(join(installed, 'kafkajs', file)))
      .digest('hex');
  expect(corrected).toEqual({
    version: kafkajs?.version,
    files: Object.fromEntries(Object.keys(kafkajs?.sha256 ?? {}).map((path) => [path, digest(path)])),
  });
});

describe('on a copy', () => {
  let modules: string;
  const [kafkajs] = PATCHES;
  if (kafkajs === undefined) throw new Error('nothing to test');
  const files = Object.keys(kafkajs.sha256);
  const [first = ''] = files;
  const path = (file: string): string => join(modules, 'kafkajs', file);

  /** Restores the published package from the copies that were kept when the corrections were applied. */
  beforeEach(() => {
    modules = mkdtempSync(join(tmpdir(), 'trapline-patches-'));
    onTestFinished(() => rmSync(modules, { recursive: true }));
    mkdirSync(join(modules, 'kafkajs'));
    cpSync(join(installed, 'kafkajs/package.json'), join(modules, 'kafkajs/package.json'));
    for (const file of files) cpSync(join(installed, 'kafkajs', `${file}.published`), path(file));
  });

  test('turns the published files into the installed ones', async () => {
    const [said, details]: [string[], string[]] = [[], []];
    await applyPatches({
      modules,
      log: (line) => void said.push(line),
      detail: (line) => void details.push(line),
    });
    expect(said).toEqual([`corrected kafkajs ${kafkajs.version} in ${files.length} files (docs/corrections)`]);
    expect(details).toEqual(files.map((file) => `corrected kafkajs/${file}`));
    for (const file of files) {
      expect(readFileSync(path(file), 'utf8')).toBe(readFileSync(join(installed, 'kafkajs', file), 'utf8'));
    }
  });

  test('writes nothing the second time', async () => {
    await applyPatches({ modules });
    const before = statSync(path(first)).mtimeMs;
    await applyPatches({ modules });
    expect(statSync(path(first)).mtimeMs).toBe(before);
  });

  test('starts from the published file if patches have changed', async () => {
    await applyPatches({ modules });
    const corrections = kafkajs.corrections.map(({ name, edits }) => ({
      name,
      edits: edits.map((edit) => ({ ...edit, to: `${edit.to} // newer` })),
    }));
    await applyPatches({ modules, patches: [{ ...kafkajs, corrections }] });
    const ofFirst = corrections.flatMap(({ edits }) => edits).filter((edit) => edit.path === first);
    expect(readFileSync(path(first), 'utf8').split('// newer')).toHaveLength(ofFirst.length + 1);
  });

  test('fails for another file', async () => {
    writeFileSync(path(first), `${readFileSync(path(first), 'utf8')}\n// changed by its author\n`);
    await expect(applyPatches({ modules })).rejects.toThrow(/is not the file its correction was written for/);
  });

  test('fails for another version', async () => {
    writeFileSync(join(modules, 'kafkajs/package.json'), JSON.stringify({ version: '2.2.5' }));
    await expect(applyPatches({ modules })).rejects.toThrow(
      /kafkajs 2\.2\.5 is installed, its corrections are for 2\.2\.4/,
    );
  });

  test('fails for a patch that no longer applies', async () => {
    const corrections = [{ name: 'sample', edits: [{ path: first, from: 'text that does not occur', to: '' }] }];
    await expect(applyPatches({ modules, patches: [{ ...kafkajs, corrections }] })).rejects.toThrow(/no longer fits/);
  });
});

describe('the patched functions give the same results', () => {
  const correctedModule = (file: string) => require(join(installed, 'kafkajs/src', file));
  /** Loads the published version of a file from its original path, so that its imports resolve. */
  function published(file: string): unknown {
    const path = join(installed, 'kafkajs/src', file);
    const module = { exports: {} as unknown };
    const run = new Function('module', 'exports', 'require', readFileSync(`${path}.published`, 'utf8'));
    run(module, module.exports, createRequire(path));
    return module.exports;
  }

  test('checksums', () => {
    const before = published('protocol/recordBatch/crc32C/crc32C.js') as (bytes: Uint8Array) => number;
    const fixed = correctedModule('protocol/recordBatch/crc32C/crc32C.js') as (bytes: Uint8Array) => number;
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => fixed(bytes) === before(bytes)));
    // Standard check value of CRC-32C.
    expect(fixed(Buffer.from('123456789'))).toBe(0xe3069283);
  });

  test('variable-length integers', () => {
    const Decoder = correctedModule('protocol/decoder.js') as new (
      bytes: Buffer,
    ) => { offset: number; readVarLong(): { toString(): string }; readVarLongAsNumber(): number };
    const Encoder = correctedModule('protocol/encoder.js') as new () => {
      writeVarLong(value: bigint): { buffer: Buffer };
    };
    const limit = 2n ** 52n;
    fc.assert(
      fc.property(fc.bigInt({ min: -limit, max: limit - 1n }), (value) => {
        const { buffer } = new Encoder().writeVarLong(value);
        const [exact, asNumber] = [new Decoder(buffer), new Decoder(buffer)];
        return (
          exact.readVarLong().toString() === String(asNumber.readVarLongAsNumber()) && exact.offset === asNumber.offset
        );
      }),
    );
  });

  test('records', () => {
    type Read = (decoder: unknown, context: object) => { headers: object } & Record<string, unknown>;
    const before = published('protocol/recordBatch/record/v0/decoder.js') as Read;
    const fixed = correctedModule('protocol/recordBatch/record/v0/decoder.js') as Read;
    const write = correctedModule('protocol/recordBatch/record/v0/index.js') as (record: object) => { buffer: Buffer };
    const Decoder = correctedModule('protocol/decoder.js') as new (bytes: Buffer) => { readVarInt(): number };
    const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array));
    const headers = fc.dictionary(
      fc.string({ maxLength: 8 }).filter((name) => !(name in {})),
      fc.oneof(bytes, fc.array(bytes, { minLength: 2, maxLength: 3 })),
      {
        noNullPrototype: true,
      },
    );
    const record = fc.record({
      offsetDelta: fc.nat(1_000_000),
      timestampDelta: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
      key: fc.option(bytes),
      value: fc.option(bytes),
      headers,
    });
    const context = {
      firstOffset: '9007199250000000',
      firstTimestamp: '1790000000000',
      magicByte: 2,
      timestampType: 0,
    };
    const numbers = {
      firstOffsetNumber: Number(context.firstOffset),
      firstTimestampNumber: Number(context.firstTimestamp),
    };
    const comparable = (read: Read, buffer: Buffer): object => {
      const decoder = new Decoder(buffer);
      decoder.readVarInt();
      const record = read(decoder, { ...context, ...numbers });
      const { magicByte, attributes, timestamp, offset, key, value, headers, isControlRecord } = record;
      return { magicByte, attributes, timestamp, offset, key, value, headers: { ...headers }, isControlRecord };
    };
    fc.assert(
      fc.property(record, (given) => {
        const { buffer } = write(given);
        expect(comparable(fixed, buffer)).toEqual(comparable(before, buffer));
      }),
    );
  });
});
