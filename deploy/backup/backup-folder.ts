import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError } from '../cli/command-error.ts';
import { type BackupFile, type Manifest, manifestTexts, readManifest } from './manifest.ts';

const MANIFEST = 'manifest.json';
/** File with the checksum of the manifest. A folder without it is not a complete backup. */
export const MARKER = 'complete';
const CHUNK_BYTES = 2 ** 20;

/** Creates the folder of a new backup. Rejects with a `CommandError` if it is not empty. */
export async function makeBackupFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if ((await readdir(folder)).length > 0)
    throw new CommandError(`${folder} is not empty: name a folder that does not exist yet`);
}

/** Writes the manifest, then the marker that completes the backup. */
export async function completeBackup(folder: string, manifest: Manifest): Promise<void> {
  const { text, marker } = manifestTexts(manifest);
  await writeDurably(join(folder, MANIFEST), text);
  await writeDurably(join(folder, MARKER), marker);
}

/** Reads the manifest of a backup. Rejects with a `CommandError` if the backup is incomplete. */
export async function openBackup(folder: string): Promise<Manifest> {
  const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => undefined);
  return readManifest(await read(MANIFEST), await read(MARKER));
}

/** Verifies the checksum of every file. Returns one line for each file that is missing or differs. */
export async function damagedFiles(
  folder: string,
  files: readonly BackupFile[],
  progress: (bytes: number) => void,
): Promise<string[]> {
  const damaged: string[] = [];
  for (const { path, bytes, sha256 } of files) {
    const found = await digestFile(join(folder, path), progress).catch(() => undefined);
    if (found === undefined) damaged.push(`${path} is missing`);
    else if (found.bytes !== bytes || found.sha256 !== sha256) damaged.push(`${path} was changed`);
  }
  return damaged;
}

/**
 * Copies a folder. Rejects symbolic links and devices, because the source may belong to another account. Returns the
 * written files, relative to `base`.
 */
export async function copyFolder(
  from: string,
  to: string,
  { base, progress = () => {} }: { readonly base: string; readonly progress?: (bytes: number) => void },
): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for (const path of await filesBelow(from))
    files.push(await copyFile(join(from, path), join(to, path), { base, progress }));
  return files;
}

/** Copies one file and returns its checksum. */
export async function copyFile(
  from: string,
  to: string,
  { base, progress = () => {} }: { readonly base: string; readonly progress?: (bytes: number) => void },
): Promise<BackupFile> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const target = await open(to, 'wx', 0o600);
  try {
    const digest = await eachChunk(from, async (chunk) => {
      await target.writeFile(chunk);
      progress(chunk.length);
    });
    await target.sync();
    return { path: nameIn(base, to), ...digest };
  } finally {
    await target.close();
  }
}

/** Returns the checksum of a file that another part of the backup wrote. */
export async function describeFile(file: string, base: string): Promise<BackupFile> {
  return { path: nameIn(base, file), ...(await digestFile(file)) };
}

/** Returns the names of all files below a folder; an empty list if it does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  const found = await readdir(folder, { withFileTypes: true, recursive: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw error;
    },
  );
  const strange = found.find((entry) => !entry.isFile() && !entry.isDirectory());
  if (strange !== undefined)
    throw new CommandError(`${join(strange.parentPath, strange.name)} is neither file nor folder`);
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function digestFile(file: string, progress: (bytes: number) => void = () => {}) {
  return eachChunk(file, async (chunk) => progress(chunk.length));
}

async function eachChunk(
  file: string,
  take: (chunk: Buffer) => Promise<void>,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  let bytes = 0;
  const source: FileHandle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW);
  await pipeline(source.createReadStream({ highWaterMark: CHUNK_BYTES }), async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await take(chunk);
    }
  });
  return { bytes, sha256: hash.digest('hex') };
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(`${file}.new`, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(`${file}.new`, file);
  const folder = await open(dirname(file), 'r');
  await folder.sync().finally(() => folder.close());
}

function nameIn(base: string, file: string): string {
  return relative(base, file).split(sep).join('/');
}
