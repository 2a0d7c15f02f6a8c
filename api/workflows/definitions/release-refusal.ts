import type { DefinitionIssue } from './issue.ts';

/** `invisible` for what the caller may not know of; `not-owner` for a workflow that is only shared with the caller; `tag-taken` for a tag of other content; `overtaken`: a concurrent release was faster. */
export type ReleaseRefusal = 'invisible' | 'not-owner' | 'tag-taken' | 'no-such-version' | 'overtaken';

export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
  readonly reason: ReleaseRefusal;

  constructor(reason: ReleaseRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** The definition can't be released. */
export class DefinitionRefused extends Error {
  override readonly name = 'DefinitionRefused';
  readonly issues: readonly DefinitionIssue[];

  constructor(issues: readonly DefinitionIssue[]) {
    super('the definition can not be released');
    this.issues = issues;
  }
}
