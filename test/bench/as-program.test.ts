import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { API_OPTIONS, FOLLOWER_OPTIONS, INGEST_OPTIONS, PROGRAM_ENV, PROGRAM_OPTIONS } from './as-program.ts';

test('measured processes have the settings of bin/trapline', async () => {
  const launcher = await readFile(new URL('../../bin/trapline', import.meta.url), 'utf8');
  const started = [...launcher.matchAll(/exec "\$node" (.*) "\$root\/deploy\/cli\/main\.ts" "\$@"/g)];
  expect(started.map(([, options]) => options?.split(' '))).toEqual([
    FOLLOWER_OPTIONS,
    API_OPTIONS,
    INGEST_OPTIONS,
    PROGRAM_OPTIONS,
  ]);
  const exported = [...launcher.matchAll(/^export (\w+)="\$\{\w+:-(.*)\}"$/gm)].map(([, name, value]) => [name, value]);
  const root = PROGRAM_ENV.NODE_COMPILE_CACHE.replace('/node_modules/.cache/trapline-compiled', '');
  expect(Object.fromEntries(exported.map(([name, value]) => [name, value?.replace('$root', root)]))).toEqual(
    PROGRAM_ENV,
  );
});
