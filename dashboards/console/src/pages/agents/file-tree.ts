export interface Folder<F> {
  readonly name: string;
  readonly folders: readonly Folder<F>[];
  readonly files: readonly { readonly name: string; readonly file: F }[];
}

/** Returns files grouped by folder, each level sorted by name. */
export function fileTree<F extends { readonly path: string }>(files: readonly F[], name = '', prefix = ''): Folder<F> {
  const inside = files.filter(({ path }) => path.startsWith(prefix));
  const rest = (path: string) => path.slice(prefix.length);
  const names = new Set(
    inside.flatMap(({ path }) => (rest(path).includes('/') ? [rest(path).split('/')[0] ?? ''] : [])),
  );
  return {
    name,
    folders: [...names].sort().map((folder) => fileTree(inside, folder, `${prefix}${folder}/`)),
    files: inside
      .filter(({ path }) => !rest(path).includes('/'))
      .map((file) => ({ name: rest(file.path), file }))
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  };
}
