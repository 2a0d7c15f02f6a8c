import type { DefinitionIssue } from './issue.ts';

/** `invisible` for what the caller may not know of; `not-owner` for a workflow that the caller may not change; `not-sharer` for a change of its visibility by a user who may only change its definition; `tag-taken` for a tag of other content; `overtaken`: a concurrent release was faster. */
export type ReleaseRefusal = 'invisible' | 'not-owner' | 'not-sharer' | 'tag-taken' | 'no-such-version' | 'overtaken';

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
