/** A file that contains the product version, and how to update it. */
interface VersionFile {
  readonly file: string;
  update(text: string, from: string, to: string): string;
}

const replaceAll: VersionFile['update'] = (text, from, to) => text.replaceAll(from, to);

/** Files that contain the current version. Excludes the changelog and pages that name a specific version. */
export const VERSION_FILES: readonly VersionFile[] = [
  { file: 'package.json', update: (text, _from, to) => withJson(text, (json) => ({ ...json, version: to })) },
  { file: 'package-lock.json', update: (text, _from, to) => withJson(text, (json) => lockedAs(json, to)) },
  {
    file: 'deploy/kubernetes/trapline/Chart.yaml',
    update: (text, from, to) =>
      text.replace(/^((?:app)?[Vv]ersion: )(.*)$/gm, (line, name: string, value: string) =>
        value === from ? name + to : line,
      ),
  },
  { file: 'docs/operations/detector.md', update: replaceAll },
  { file: 'docs/security/supply-chain.md', update: replaceAll },
];

type Json = Readonly<Record<string, unknown>>;

/** Formats JSON as npm does. */
function withJson(text: string, change: (json: Json) => Json): string {
  return `${JSON.stringify(change(JSON.parse(text) as Json), null, 2)}\n`;
}

function lockedAs(lock: Json, version: string): Json {
  const packages = lock.packages as Readonly<Record<string, Json>>;
  return { ...lock, version, packages: { ...packages, '': { ...packages[''], version } } };
}
