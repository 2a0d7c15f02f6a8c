import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { alone } from './lock.mjs';
import { log, SetupError } from './log.mjs';
import { PINNED_NODE, ROOT } from './paths.mjs';

const run = promisify(execFile);
const FOLDER = 'dashboards/console';
const BUILT = `${FOLDER}/dist`;
/** The build writes it from the names of the pages, so it is no source. */
const ROUTE_TREE = `${FOLDER}/src/route-tree.gen.ts`;
const MARK = `${BUILT}/.built-from`;

/** Builds the web console unless exactly these sources were built already. Takes a few seconds, of them next to nothing the second time. */
export async function buildConsole(root = ROOT) {
  const wanted = sourcesOf(root);
  if (builtFrom(root) === wanted) return;
  await alone(async () => {
    if (builtFrom(root) === wanted) return; // another process did it while this one waited
    log('building the web console …');
    const config = join(root, FOLDER, 'vite.config.ts');
    const vite = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--config', config, '--logLevel', 'warn'];
    await run(PINNED_NODE, vite, { cwd: root }).catch(({ stdout, stderr }) => {
      throw new SetupError(`the web console could not be built:\n${stdout}${stderr}`);
    });
    writeFileSync(join(root, MARK), wanted);
  });
}

/** SHA-256 over everything the build reads: its sources, the contracts it shares with the server, the versions of its libraries. */
export function sourcesOf(root = ROOT) {
  const hash = createHash('sha256').update(readFileSync(join(root, 'package-lock.json')));
  for (const path of [...filesOf(join(root, FOLDER)), ...filesOf(join(root, 'schemas'))])
    hash.update(`${relative(root, path)}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function filesOf(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'dist' && name !== basename(ROUTE_TREE) && !name.startsWith('.'))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesOf(path) : [path];
    });
}

function builtFrom(root) {
  const mark = join(root, MARK);
  return existsSync(mark) && existsSync(join(root, ROUTE_TREE)) ? readFileSync(mark, 'utf8') : undefined;
}
