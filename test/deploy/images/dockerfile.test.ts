import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { forbiddenFiles, TARGETS } from '#deploy/images/targets.ts';
import { readImports } from '../../../bin/imports/read-imports.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const dockerfile = await readFile(join(ROOT, 'deploy/images/Dockerfile'), 'utf8');
const instructions = dockerfile.replace(/\\\n/g, ' ').split('\n');

test('every file that the Dockerfile copies exists and is in the build context', async () => {
  const allowed = (await readFile(join(ROOT, '.dockerignore'), 'utf8'))
    .split('\n')
    .filter((line) => line.startsWith('!'));
  const sources = instructions
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  expect(sources).toContain('package-lock.json');
  for (const source of sources) {
    await access(join(ROOT, source));
    expect(allowed).toContain(`!${source}`);
  }
});

test('the scripts that the Dockerfile runs exist', async () => {
  const scripts = [...dockerfile.matchAll(/\b(?:sh|node) ((?:deploy|bin)\/\S+)/g)].map(([, script]) => script ?? '');
  expect(scripts).toContain('deploy/images/assemble.sh');
  for (const script of scripts) await access(join(ROOT, script));
});

test('every module that a program imports is copied: those of the build, and the product', () => {
  const copied = instructions
    .filter((line) => /^COPY (?!--from)/.test(line))
    .flatMap((line) => line.split(/\s+/).slice(1, -1));
  const programs = [...dockerfile.matchAll(/\bnode (\S+\.ts)/g)].map(([, program]) => program ?? '');
  expect(programs).toContain('deploy/packages/main.ts');
  const missing = (program: string, folders: readonly string[]) =>
    modulesOf(program).filter((file) => !folders.some((folder) => file.startsWith(`${folder}/`)));
  for (const program of programs) expect(missing(program, copied), program).toEqual([]);
  // assemble.sh copies these folders into the images.
  const product = ['schemas', 'analytics', 'ingest', 'api', 'deploy'];
  expect(missing('deploy/cli/main.ts', product)).toEqual([]);
  const removed = /^(api\/clients|deploy\/(images|compose|packages))\//;
  expect(modulesOf('deploy/cli/main.ts').filter((file) => removed.test(file))).toEqual([]);
});

test('the base image has the Node of package.json', async () => {
  const { dependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    dependencies: { node: string };
  };
  expect(dockerfile).toContain(`ARG NODE_IMAGE=node:${dependencies.node}-bookworm-slim\n`);
});

test('every image is a stage that runs as its own account', () => {
  const stages = dockerfile.split(/^(?=FROM )/m);
  for (const { name, account } of TARGETS) {
    const stage = stages.find((text) => text.startsWith(`FROM scratch AS ${name}\n`));
    expect(stage).toContain(`\nUSER ${account}\n`);
    expect(stage).toMatch(
      /^ENTRYPOINT \[.*"(?:\/opt\/trapline\/deploy\/cli\/main\.ts|\/usr\/bin\/trapline-detector)"\]$/m,
    );
  }
});

test('reports an image with a shell, a development package or a key', () => {
  const [platform] = TARGETS;
  if (platform === undefined) throw new Error('no images');
  expect(forbiddenFiles(platform, ['usr/local/bin/node', 'opt/trapline/node_modules/pg/lib/index.js'])).toEqual([]);
  expect(
    forbiddenFiles(platform, [
      'usr/bin/sh',
      'opt/trapline/node_modules/vitest/package.json',
      'var/lib/trapline/operator.key',
    ]),
  ).toEqual([
    'platform holds a package of development: opt/trapline/node_modules/vitest/package.json',
    'platform holds a secret: var/lib/trapline/operator.key',
    'platform holds a shell or package manager: usr/bin/sh',
  ]);
});

/** Returns the modules of the project that a program imports, directly and through others. */
function modulesOf(program: string): string[] {
  const found = new Set([program]);
  for (const file of found)
    for (const { file: imported } of readImports(ROOT, file)) if (imported?.endsWith('.ts')) found.add(imported);
  return [...found];
}
