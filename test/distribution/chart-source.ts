import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const CHART = fileURLToPath(new URL('../../deploy/kubernetes/trapline/', import.meta.url));
/** Folder with the objects of the chart, rendered by Helm with each file of its folder `ci`. */
export const RENDERED = fileURLToPath(new URL('../deploy/kubernetes/rendered/', import.meta.url));
/** File in `RENDERED` with the hash of the sources that the objects were rendered from. */
export const SOURCE_FILE = 'source.sha256';

/** Returns the names of the values files in the folder `ci`, without the suffix `-values.yaml`. */
export async function valuesNames(): Promise<string[]> {
  const names = await readdir(path.join(CHART, 'ci'));
  return names.map((name) => name.replace(/-values\.yaml$/, '')).sort();
}

/**
 * SHA-256 of all files of the chart and of the dashboards and rules that it links to. Changes with every byte that Helm
 * reads.
 */
export async function chartHash(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of await filesBelow('')) hash.update(`${file}\0`).update(await readFile(path.join(CHART, file)));
  return hash.digest('hex');
}

/** Returns the paths of files relative to the chart, sorted by name. Follows links, as Helm does. */
async function filesBelow(folder: string): Promise<string[]> {
  const names = (await readdir(path.join(CHART, folder))).sort();
  const found = await Promise.all(
    names.map(async (name) => {
      const file = path.join(folder, name);
      return readdir(path.join(CHART, file)).then(
        () => filesBelow(file),
        () => [file],
      );
    }),
  );
  return found.flat();
}
