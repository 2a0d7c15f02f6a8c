import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { usageError } from '../command-error.ts';
import { readTruths, TRUTH_FILE, type Truth } from './truth.ts';

/** A capture with what it shows. */
export interface CorpusEntry {
  readonly name: string;
  /** Path of the capture. */
  readonly file: string;
  readonly truth: Truth;
}

export interface Corpus {
  readonly entries: readonly CorpusEntry[];
  /** Files of the folder that no entry names. */
  readonly unlabelled: readonly string[];
}

/** Files that describe a corpus and are no captures. */
const DESCRIPTIONS = /^(?:\..*|.*\.md|licen[cs]e.*|notice.*)$/i;

/** The captures of a folder with their truth. Throws a `CommandError` (wrong usage) when the folder is not a corpus. */
export async function readCorpus(folder: string): Promise<Corpus> {
  const truths = await readTruths(folder);
  const files = (await readdir(folder, { withFileTypes: true })).flatMap((entry) =>
    entry.isFile() && entry.name !== TRUTH_FILE && !DESCRIPTIONS.test(entry.name) ? [entry.name] : [],
  );
  const entries = [...truths].map(([name, truth]) => ({ name, file: join(folder, fileOf(name, truth, files)), truth }));
  const labelled = new Set(entries.map(({ file }) => file));
  return { entries, unlabelled: files.filter((file) => !labelled.has(join(folder, file))).sort() };
}

/** The file of an entry: the one it names, else the only one that is called like the entry but for its extensions. */
function fileOf(name: string, { file }: Truth, files: readonly string[]): string {
  const named = files.filter((other) => (file === undefined ? other.startsWith(`${name}.`) : other === file));
  const [only] = named;
  if (only !== undefined && named.length === 1) return only;
  const problem = named.length === 0 ? 'has no file' : `has several files: ${named.join(', ')}`;
  throw usageError(`entry ${name} of ${TRUTH_FILE} ${problem}; name it in \`file\``);
}
