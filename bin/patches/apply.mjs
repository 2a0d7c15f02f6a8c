// Applies the corrections of dependencies that the product needs (docs/corrections). Plain JavaScript, because the
// bootstrap runs it directly after the installation. A correction applies to exact files of one exact version. It fails
// if a file or the version differs, because the fault may be fixed or may have moved.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { kafkajs } from './corrected-packages.mjs';

const MODULES = fileURLToPath(new URL('../../node_modules/', import.meta.url));
/** Suffix of the copy of each published file, from which a changed correction can start. */
const PRISTINE = '.published';

/**
 * @typedef {{ path: string, from: string, to: string }} Edit `from`: exact text that occurs once in the file `path` of the package
 * @typedef {{ name: string, edits: Edit[] }} Correction
 * @typedef {{ name: string, version: string, sha256: Record<string, string>, corrections: Correction[] }} PackagePatch
 *   `sha256`: of each corrected file as published
 */

/** A dependency differs from the version that the corrections were written for. */
export class PatchMismatch extends Error {
  name = 'PatchMismatch';
}

/** @type {PackagePatch[]} */
export const PATCHES = [kafkajs];

/**
 * Applies all corrections. Idempotent. Calls `log` for every package that it changes, `detail` for every file.
 * @param {{ log?: (line: string) => void, detail?: (line: string) => void, modules?: string, patches?: PackagePatch[]
 * }} [options]
 * @throws {PatchMismatch}
 */
export async function applyPatches({ log = () => {}, detail = () => {}, modules = MODULES, patches = PATCHES } = {}) {
  for (const patch of patches) {
    const folder = join(modules, patch.name);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    if (version !== patch.version) {
      throw new PatchMismatch(
        `${patch.name} ${version} is installed, its corrections are for ${patch.version}: check whether the faults of docs/corrections are still there and rewrite bin/patches for ${version}`,
      );
    }
    const edits = patch.corrections.flatMap((correction) => correction.edits);
    let changed = 0;
    for (const [path, sha256] of Object.entries(patch.sha256)) {
      const ofFile = edits.filter((edit) => edit.path === path);
      if (!correct(join(folder, path), sha256, ofFile)) continue;
      changed++;
      detail(`corrected ${patch.name}/${path}`);
    }
    if (changed > 0) log(`corrected ${patch.name} ${version} in ${changed} files (docs/corrections)`);
  }
}

/** @param {string} path @param {string} sha256 @param {Edit[]} edits @returns {boolean} whether it changed the file */
function correct(path, sha256, edits) {
  const installed = readFileSync(path, 'utf8');
  const published = publishedText(path, installed, sha256);
  let text = published;
  for (const { from, to } of edits) {
    if (text.split(from).length !== 2)
      throw new PatchMismatch(`a correction no longer fits ${path}: ${JSON.stringify(from.slice(0, 80))}`);
    text = text.replace(from, () => to);
  }
  if (text === installed) return false;
  writeFileSync(path + PRISTINE, published);
  // Written atomically, because the next set-up would reject a partly written file.
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
  return true;
}

/** @param {string} path @param {string} installed @param {string} sha256 */
function publishedText(path, installed, sha256) {
  const digest = (/** @type {string} */ text) => createHash('sha256').update(text).digest('hex');
  if (digest(installed) === sha256) return installed;
  if (existsSync(path + PRISTINE)) {
    const kept = readFileSync(path + PRISTINE, 'utf8');
    if (digest(kept) === sha256) return kept;
  }
  throw new PatchMismatch(
    `${path} is not the file its correction was written for. Reinstall with \`rm -rf node_modules && npm ci\`; if that does not help, the package has changed`,
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await applyPatches({ log: console.log });
