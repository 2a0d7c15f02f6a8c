import type { Rolldown } from 'vite';

/** Which files of a build load which. */
export interface ChunksOf {
  /** Files that the page names itself. */
  readonly entries: readonly string[];
  /** The file that contains the module whose path ends so. */
  fileWith(module: string): string;
  /** These files and all that they import statically. */
  loadedWith(files: readonly string[]): string[];
}

export function chunksOf(bundle: Rolldown.OutputBundle): ChunksOf {
  const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
  const importsOf = new Map(chunks.map(({ fileName, imports }) => [fileName, imports]));
  return {
    entries: chunks.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName),
    fileWith(module) {
      const found = chunks.filter(({ moduleIds }) => moduleIds.some((id) => id.endsWith(module)));
      if (found.length !== 1 || found[0] === undefined)
        throw new Error(`${module} must be in one file of the build (it is in ${found.length})`);
      return found[0].fileName;
    },
    loadedWith(names) {
      const files = new Set(names);
      for (const name of files) for (const imported of importsOf.get(name) ?? []) files.add(imported);
      return [...files];
    },
  };
}
