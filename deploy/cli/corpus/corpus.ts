import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../command-error.ts';
import { readTruths, TRUTH_FILE, type Truth } from './truth.ts';

/** A capture with its expected results. */
export interface CorpusEntry {
  readonly name: string;
  /** Path of the capture. */
  readonly file: string;
  readonly truth: Truth;
}

export interface Corpus {
  readonly entries: readonly CorpusEntry[];
  /** Files of the folder that no entry refers to. */
  readonly unlabelled: readonly string[];
}

/** Files that describe a corpus and are not captures. */
const DESCRIPTIONS = /^(?:\..*|.*\.md|licen[cs]e.*|notice.*)$/i;

/**
 * Reads the captures of a folder with their truth. Throws a `CommandError` (wrong usage) if the folder is not a corpus.
 */
export async function readCorpus(folder: string): Promise<Corpus> {
  const truths = await readTruths(folder);
  const files = (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
    entry.isFile() && entry.name !== TRUTH_FILE && !DESCRIPTIONS.test(entry.name) ? [entry.name] : [],
  );
  const entries = [...truths].map(([name, truth]) => ({ name, file: join(folder, fileOf(name, truth, files)), truth }));
  const labelled = new Set(entries.map(({ file }) => file));
  return { entries, unlabelled: files.filter((file) => !labelled.has(join(folder, file))).sort() };
}

/**
 * Returns the file of an entry: the named one, otherwise the only file whose name without extensions equals the entry's
 * name.
 */
function fileOf(name: string, { file }: Truth, files: readonly string[]): string {
  const named = files.filter((other) => (file === undefined ? other.startsWith(`${name}.`) : other === file));
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  const problem = named.length === 0 ? 'has no file' : `has several files: ${named.join(', ')}`;
  throw usageError(`entry ${name} of ${TRUTH_FILE} ${problem}; name it in \`file\``);
}
