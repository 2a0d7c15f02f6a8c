import { unreleasedEntries } from './changelog.ts';

/** The state that decides whether a version can be released. */
export interface ReleaseState {
  readonly current: string;
  readonly next: string;
  readonly changelog: string;
  /** Lines of `git status --porcelain`. */
  readonly changes: readonly string[];
  readonly tags: readonly string[];
}

/** Returns the reasons not to release `next`; empty if it can be released. */
export function releaseProblems({ current, next, changelog, changes, tags }: ReleaseState): string[] {
  const problems: string[] = [];
  if (!/^\d+\.\d+\.\d+$/.test(next)) problems.push(`${next} is not a version of the form 1.2.3`);
  else if (!isNewer(next, current)) problems.push(`${next} is not newer than the current version ${current}`);
  if (tags.includes(`v${next}`)) problems.push(`the tag v${next} exists`);
  if (changes.length > 0) problems.push(`files have uncommitted changes: ${changes.join(', ')}`);
  if (unreleasedEntries(changelog) === '') problems.push('the section Unreleased of CHANGELOG.md is empty');
  return problems;
}

function isNewer(a: string, b: string): boolean {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  const differs = left?.findIndex((number, index) => number !== right?.[index]) ?? -1;
  return differs >= 0 && (left?.[differs] ?? 0) > (right?.[differs] ?? 0);
}
