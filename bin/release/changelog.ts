const UNRELEASED = '## Unreleased\n';

/** Returns the entries of the next version; empty if nothing has changed since the last one. */
export function unreleasedEntries(changelog: string): string {
  const [, after = ''] = changelog.split(UNRELEASED);
  return (after.split(/^## /m)[0] ?? '').trim();
}

/** Moves the unreleased entries below a heading of the version, and adds an empty section for the next one. */
export function releaseEntries(changelog: string, version: string, day: string): string {
  return changelog.replace(UNRELEASED, `${UNRELEASED}\n## ${version} (${day})\n`);
}
