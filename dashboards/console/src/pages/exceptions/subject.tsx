import { useRuleTitle } from '../../api/rules.ts';
import { visible } from '../../parts/visible.ts';
import { type ExceptionSubject, subjectText } from './exception-state.ts';

/** Subject of an exception, with the name of its rule. */
export function Subject({ of }: { readonly of: ExceptionSubject }) {
  return visible(subjectText(of, useRuleTitle()));
}
