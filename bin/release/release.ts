import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { ARCHIVES, archiveName, archiveOf } from './archives.ts';
import { releaseEntries } from './changelog.ts';
import { releaseProblems } from './problems.ts';
import { VERSION_FILES } from './version-files.ts';

export interface ReleaseOptions {
  readonly root: string;
  readonly version: string;
  readonly now: Date;
  /** Renders the objects of the Helm chart, which contain its version. */
  renderChart(): Promise<void>;
  report(line: string): void;
}

/**
 * Commits the new version, tags the commit `vVERSION`, and commits an archive of the tag for the upgrade tests. Does
 * not push. Resolves to the reasons why nothing was changed; empty if the version is released.
 */
export async function release({ root, version, now, renderChart, report }: ReleaseOptions): Promise<string[]> {
  const git = async (...args: readonly string[]) => (await promisify(execFile)('git', args, { cwd: root })).stdout;
  const lines = async (...args: readonly string[]) => (await git(...args)).split('\n').filter((line) => line !== '');
  const changelogFile = path.join(root, 'CHANGELOG.md');
  const changelog = await readFile(changelogFile, 'utf8');
  const current = (JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { version: string }).version;
  const changes = await lines('status', '--porcelain');
  const problems = releaseProblems({ current, next: version, changelog, changes, tags: await lines('tag') });
  if (problems.length > 0) return problems;

  for (const { file, update } of VERSION_FILES) {
    const text = await readFile(path.join(root, file), 'utf8');
    await writeFile(path.join(root, file), update(text, current, version));
  }
  await writeFile(changelogFile, releaseEntries(changelog, version, now.toISOString().slice(0, 10)));
  await renderChart();
  await git('add', '--all');
  await git('commit', '--quiet', `--message=Release ${version}`);
  await git('tag', '--annotate', `--message=Trapline ${version}`, `v${version}`);
  report(`tagged v${version}: ${(await git('rev-parse', 'HEAD')).trim()}`);

  const archive = `${ARCHIVES}/${archiveName(version)}`;
  await mkdir(path.join(root, ARCHIVES), { recursive: true });
  await writeFile(path.join(root, archive), await archiveOf(root, `v${version}`));
  await git('add', archive);
  await git('commit', '--quiet', `--message=Keep release ${version} for the upgrade tests`);
  report(`committed ${archive}`);
  return [];
}
