import type { Rolldown } from 'vite';

/** Dependencies between the files of a build. */
export interface ChunksOf {
  /** Files that the HTML page references. */
  readonly entries: readonly string[];
  /** Returns the file that contains the module whose path has this suffix. */
  fileWith(module: string): string;
  /** Returns these files and all their static imports. */
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
