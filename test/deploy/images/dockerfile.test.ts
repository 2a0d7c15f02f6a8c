import { access, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { forbiddenFiles, TARGETS } from '#deploy/images/targets.ts';

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
