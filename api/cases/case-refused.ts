/** Why a change of a case is refused. */
export type CaseRefusal =
  | { readonly code: 'changed_since_read' }
  | { readonly code: 'not_found'; readonly what: string }
  | { readonly code: 'invalid'; readonly field: string; readonly problem: string }
  | { readonly code: 'full'; readonly problem: string };

export class CaseRefused extends Error {
  override readonly name = 'CaseRefused';
  readonly reason: CaseRefusal;

  constructor(reason: CaseRefusal) {
    super(`the change of the case is refused: ${reason.code}`);
    this.reason = reason;
  }
}
