import { execFile } from 'node:child_process';
import { cp, glob, mkdir, readdir, rename, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { compareVersions } from '#schemas/migration-name.ts';

const run = promisify(execFile);
const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
const FOLDER = fileURLToPath(new URL('../fixtures/releases/', import.meta.url));

/** A release of the product: a compressed archive of the files that it runs from. */
export interface Release {
  readonly version: string;
  readonly archive: string;
}

/** Returns the newest release among the fixtures. */
export async function lastRelease(): Promise<Release> {
  const versions = (await readdir(FOLDER)).flatMap((name) => /^trapline-(.+)\.tar\.gz$/.exec(name)?.[1] ?? []);
  const version = versions.toSorted(compareVersions).at(-1);
  if (version === undefined) throw new Error(`${FOLDER} holds no release`);
  return { version, archive: `${FOLDER}trapline-${version}.tar.gz` };
}

/** Returns the names of the files in a folder of the release, without the folder. */
export async function filesOfRelease({ archive }: Release, folder: string): Promise<string[]> {
  const { stdout } = await run('tar', ['-tzf', archive, folder]);
  return stdout.split('\n').flatMap((name) => (/\/$|^$/.test(name) ? [] : name.slice(name.lastIndexOf('/') + 1)));
}

/** Unpacks the release into an existing folder. */
export async function unpackRelease({ archive }: Release, into: string): Promise<void> {
  await run('tar', ['-xzf', archive, '-C', into]);
}

/**
 * Links the dependencies of this checkout into an unpacked release. The Kafka client is a copy with the patches of the
 * release, because a process rejects a client with other patches.
 */
export async function linkDependencies(root: string): Promise<void> {
  const modules = path.join(root, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(MODULES))
    if (name !== 'kafkajs') await symlink(path.join(MODULES, name), path.join(modules, name));
  const client = path.join(modules, 'kafkajs');
  await cp(path.join(MODULES, 'kafkajs'), client, { recursive: true });
  // `bin/patches` stores each patched file also in its published form.
  for await (const published of glob('**/*.published', { cwd: client })) {
    const file = path.join(client, published);
    await rename(file, file.replace(/\.published$/, ''));
  }
  await run(process.execPath, [path.join(root, 'bin/patches/apply.mjs')]);
}
