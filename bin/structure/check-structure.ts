/** Longer files are rejected. Most files have 30 to 200 lines. */
export const MAX_FILE_LINES = 350;

/** Files above the limit, with the lines that they may have. */
export const LONG_FILES: Readonly<Record<string, number>> = {
  'analytics/detections/state/program-store.ts': 400,
};

/** A file, and its number of lines. */
export interface SourceFile {
  readonly file: string;
  readonly lines: number;
}

const PRODUCT = /^(?:schemas|analytics|ingest|api|dashboards|deploy|bin)\//;
const GENERATED = /\.gen\.ts$|schema\.d\.ts$|\/generated\.ts$/;
/** Names that state no concept. */
const NO_CONCEPT = /^(?:index|utils?|helpers?|common|lib|misc|shared|types)\.(?:ts|tsx|mjs)$/;
/** Names that a tool prescribes: the entry of a package, and the pages of the console by address. */
const PRESCRIBED = /^(?:api\/clients\/typescript\/src|dashboards\/console\/src\/routes(?:\/.+)?)\/index\.tsx?$/;

/** Folders of tests without a folder of the source: they test several folders, or what a file of the parent does. */
const TESTS_OF_SEVERAL = new Set([
  'test/analytics/detections/variants',
  'test/api/executions/conformance',
  'test/deploy/engines/postgres',
]);

/** Returns one line for each file of the product that has a name without a concept, or too many lines. */
export function sourceProblems(files: readonly SourceFile[], long = LONG_FILES): string[] {
  const product = files.filter(({ file }) => PRODUCT.test(file) && !GENERATED.test(file));
  const names = product
    .filter(({ file }) => NO_CONCEPT.test(nameOf(file)) && !PRESCRIBED.test(file))
    .map(({ file }) => `${file}: name the file after the concept that it holds`);
  const lengths = product
    .filter(({ file, lines }) => lines > (long[file] ?? MAX_FILE_LINES))
    .map(({ file, lines }) => `${file} has ${lines} lines, ${long[file] ?? MAX_FILE_LINES} are allowed: split it`);
  const linesOf = new Map(product.map(({ file, lines }) => [file, lines]));
  const shorter = Object.keys(long)
    .filter((file) => (linesOf.get(file) ?? 0) <= MAX_FILE_LINES)
    .map((file) => `${file} is within the limit: remove it from LONG_FILES`);
  return [...names, ...lengths, ...shorter];
}

/** Returns one line for each folder of tests that mirrors no folder of the source. */
export function testFolderProblems(files: readonly string[]): string[] {
  const folders = new Set(files.flatMap(foldersOf));
  const tested = new Set(
    files.filter((file) => file.startsWith('test/') && file.endsWith('.test.ts')).map((file) => folderOf(file)),
  );
  return [...tested]
    .filter(
      (folder) => PRODUCT.test(mirrorOf(folder)) && !TESTS_OF_SEVERAL.has(folder) && !folders.has(mirrorOf(folder)),
    )
    .map((folder) => `${folder}/ mirrors no folder: ${mirrorOf(folder)}/ is missing`);
}

/** Returns one line for each subject of api/ without a README. */
export function readmeProblems(files: readonly string[]): string[] {
  const subjects = new Set(files.flatMap((file) => /^api\/[^/]+(?=\/.*\.ts$)/.exec(file)?.[0] ?? []));
  const known = new Set(files);
  return [...subjects]
    .filter((subject) => subject !== 'api/clients' && !known.has(`${subject}/README.md`))
    .map((subject) => `${subject}/ has no README.md`);
}

/** Returns the folder that the tests of a folder mirror. Tests of the console leave out its `src/`. */
function mirrorOf(folder: string): string {
  const source = folder.slice('test/'.length);
  return source.replace(/^dashboards\/console\/(?!build$)/, 'dashboards/console/src/');
}

function foldersOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}

const nameOf = (file: string) => file.slice(file.lastIndexOf('/') + 1);
const folderOf = (file: string) => file.slice(0, file.lastIndexOf('/'));
