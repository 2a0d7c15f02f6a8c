import { execFile, execFileSync, type StdioOptions } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';

/** Archives of released versions. Upgrade tests start the previous version from them. */
export const ARCHIVES = 'test/fixtures/releases';
/** Files that a release needs to run, besides its dependencies. */
const CONTENT = ['api', 'analytics', 'schemas', 'ingest', 'deploy', 'bin', 'package.json'];
const MAX_BYTES = 256 * 2 ** 20;
/** Length of the first header of an archive, which contains the commit. */
const HEADER_BYTES = 1_024;

export function archiveName(version: string): string {
  return `trapline-${version}.tar.gz`;
}

/** Creates the archive of a commit. Its header contains the commit, so the content is reproducible. */
export async function archiveOf(root: string, commit: string): Promise<Buffer> {
  return gzipSync(await contentOf(root, commit), { level: 9 });
}

/**
 * Returns problems of the stored archives: each must equal the content of its commit, and the commit must be in the
 * history.
 */
export async function archiveProblems(root: string, report: (line: string) => void): Promise<string[]> {
  const problems: string[] = [];
  const names = readdirSync(path.join(root, ARCHIVES)).filter((name) => name.endsWith('.tar.gz'));
  for (const name of names.toSorted()) {
    const content = gunzipSync(readFileSync(path.join(root, ARCHIVES, name)));
    const version = /^trapline-(.+)\.tar\.gz$/.exec(name)?.[1] ?? '';
    const problem = await problemOf(root, content, version);
    if (problem === undefined) report(`${name}: the content of ${commitOf(content)}`);
    else problems.push(`${name}: ${problem}`);
  }
  return problems;
}

async function problemOf(root: string, content: Buffer, version: string): Promise<string | undefined> {
  const commit = commitOf(content);
  if (commit === undefined) return 'it was not made by git archive';
  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', args, { cwd: root }).then(
      ({ stdout }) => stdout.trim(),
      () => undefined,
    );
  if ((await git('merge-base', '--is-ancestor', commit, 'HEAD')) === undefined)
    return `its commit ${commit} is not part of the history`;
  const tagged = await git('rev-parse', '--verify', '--quiet', `refs/tags/v${version}^{commit}`);
  if (tagged !== undefined && tagged !== commit) return `the tag v${version} is ${tagged}, the archive of ${commit}`;
  if (!content.equals(await contentOf(root, commit))) return `it differs from its commit ${commit}`;
  return undefined;
}

/** Returns the commit in the header of an archive. */
export function commitOf(content: Buffer): string | undefined {
  try {
    const stdio: StdioOptions = ['pipe', 'pipe', 'ignore'];
    return execFileSync('git', ['get-tar-commit-id'], {
      input: content.subarray(0, HEADER_BYTES),
      encoding: 'utf8',
      stdio,
    }).trim();
  } catch {
    return undefined;
  }
}

async function contentOf(root: string, commit: string): Promise<Buffer> {
  const args = ['archive', '--format=tar', commit, ...CONTENT];
  const { stdout } = await promisify(execFile)('git', args, { cwd: root, encoding: 'buffer', maxBuffer: MAX_BYTES });
  return stdout;
}
