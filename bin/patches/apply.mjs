// Applies the corrections of dependencies that the product relies on. Plain JavaScript: it runs in the bootstrap, right after the
// packages are installed. A correction belongs to one exact file of one exact version; when either is another one it fails
// loudly, because the fault it corrects may be gone, moved or doubled.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkajs } from './kafkajs-2.2.4.mjs';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
/** Beside each corrected file: the file as published, so that a changed correction can start from it. */
const PRISTINE = '.published';

/**
 * @typedef {{ from: string, to: string }} Edit exact text, occurring once, and its replacement
 * @typedef {{ path: string, sha256: string, why: string, edits: Edit[] }} FilePatch `sha256` of the file as published
 * @typedef {{ name: string, version: string, files: FilePatch[] }} PackagePatch
 */

/** A dependency is not what the corrections were written for. */
export class PatchMismatch extends Error {
  name = 'PatchMismatch';
}

/** @type {PackagePatch[]} */
export const PATCHES = [kafkajs];

/**
 * Idempotent. `log` gets a line for every file it changes.
 * @param {{ log?: (line: string) => void, modules?: string, patches?: PackagePatch[] }} [options]
 * @throws {PatchMismatch}
 */
export async function applyPatches({ log = () => {}, modules = MODULES, patches = PATCHES } = {}) {
  for (const patch of patches) {
    const folder = join(modules, patch.name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (version !== patch.version) {
      throw new PatchMismatch(
        `${patch.name} ${version} is installed, its corrections are for ${patch.version}: look whether the faults listed in bin/patches are still there and rewrite them for ${version}`,
      );
    }
    for (const file of patch.files)
      if (correct(join(folder, file.path), file)) log(`corrected ${patch.name}/${file.path}`);
  }
}

/** @param {string} path @param {FilePatch} file @returns {boolean} whether it changed the file */
function correct(path, file) {
  const installed = readFileSync(path, 'utf8');
  const published = publishedText(path, installed, file);
  let text = published;
  for (const { from, to } of file.edits) {
    if (text.split(from).length !== 2)
      throw new PatchMismatch(`a correction no longer fits ${path}: ${JSON.stringify(from.slice(0, 80))}`);
    text = text.replace(from, () => to);
  }
  if (text === installed) return false;
  writeFileSync(path + PRISTINE, published);
  // A file half written by a killed set-up would be taken for a stranger's next time.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return true;
}

/** @param {string} path @param {string} installed @param {FilePatch} file */
function publishedText(path, installed, file) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');
  if (digest(installed) === file.sha256) return installed;
  if (existsSync(path + PRISTINE)) {
    const kept = readFileSync(path + PRISTINE, 'utf8');
    if (digest(kept) === file.sha256) return kept;
  }
  throw new PatchMismatch(
    `${path} is not the file its correction was written for (${file.why}). Reinstall with \`rm -rf node_modules && npm ci\`; if that does not help, the package has changed`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await applyPatches({ log: console.log });
