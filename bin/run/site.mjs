import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '../setup/log.mjs';
import { ROOT } from '../setup/paths.mjs';
import { runPinned } from './child.mjs';

/** VitePress has separate packages, so that they are downloaded only to build the site. */
const SITE = join(ROOT, 'docs/.vitepress');
const VITEPRESS = join(SITE, 'node_modules/vitepress/bin/vitepress.js');

/** `npm run docs`: builds the documentation site. `npm run docs:serve`: serves the built site on 127.0.0.1. */
export async function runSite(command, args) {
  if (!existsSync(VITEPRESS)) {
    log('installing VitePress (about 30 MB of downloads the first time) …');
    const { status } = spawnSync('npm', ['ci', '--ignore-scripts'], {
      cwd: SITE,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    if (status !== 0) return 2;
  }
  return runPinned([VITEPRESS, command, 'docs', ...(command === 'preview' ? ['--host', '127.0.0.1'] : []), ...args]);
}
