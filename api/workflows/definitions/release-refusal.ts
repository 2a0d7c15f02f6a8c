import type { DefinitionIssue } from './issue.ts';

/**
 * `invisible`: the caller may not see the workflow. `not-owner`: the caller may not change it. `not-sharer`: the caller
 * may change its definition but not its visibility. `tag-taken`: the tag belongs to other content. `overtaken`: a
 * concurrent release came first.
 */
export type ReleaseRefusal = 'invisible' | 'not-owner' | 'not-sharer' | 'tag-taken' | 'no-such-version' | 'overtaken';

export class ReleaseRefused extends Error {
  override readonly name = 'ReleaseRefused';
  readonly reason: ReleaseRefusal;

  constructor(reason: ReleaseRefusal) {
    super(reason);
    this.reason = reason;
  }
}

/** Thrown if the definition cannot be released. */
export class DefinitionRefused extends Error {
  override readonly name = 'DefinitionRefused';
  readonly issues: readonly DefinitionIssue[];

  constructor(issues: readonly DefinitionIssue[]) {
    super('the definition cannot be released');
    this.issues = issues;
  }
}
