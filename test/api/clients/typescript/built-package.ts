import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PACKAGE = fileURLToPath(new URL('../../../../api/clients/typescript', import.meta.url));
const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));
export const TSC = path.join(MODULES, 'typescript/bin/tsc');

type Main = typeof import('#api/clients/typescript/src/index.ts');
type ForNode = typeof import('#api/clients/typescript/src/node.ts');

/** The package as published, installed in its own folder. */
export interface BuiltPackage {
  /** A project that depends on it and on the types of Node. */
  readonly project: string;
  /** Its compiled files. */
  readonly dist: string;
  readonly main: Main;
  readonly forNode: ForNode;
  remove(): Promise<void>;
}

/** Builds and installs the client without changing the sources. */
export async function buildPackage(): Promise<BuiltPackage> {
  const project = await mkdtemp(path.join(tmpdir(), 'trapline-typescript-'));
  const installed = path.join(project, 'node_modules/@trapline/client');
  await mkdir(installed, { recursive: true });
  for (const config of ['tsconfig.json', 'tsconfig.node.json'])
    await run(process.execPath, [TSC, '-p', path.join(PACKAGE, config), '--outDir', path.join(installed, 'dist')]);
  await cp(path.join(PACKAGE, 'package.json'), path.join(installed, 'package.json'));
  for (const types of ['@types', 'undici-types'])
    await symlink(path.join(MODULES, types), path.join(project, 'node_modules', types));
  const dist = path.join(installed, 'dist');
  return {
    project,
    dist,
    main: (await import(pathToFileURL(path.join(dist, 'index.js')).href)) as Main,
    forNode: (await import(pathToFileURL(path.join(dist, 'node.js')).href)) as ForNode,
    remove: () => rm(project, { recursive: true, force: true }),
  };
}
