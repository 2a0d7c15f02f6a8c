import { RULE_NAMES_TEXT } from './rule-names-text.ts';

const NAMES: Readonly<Record<string, string>> = RULE_NAMES_TEXT;

/** Returns the name of a rule in the language of the console. User rules have the name that their author wrote. */
export function ruleName({ id, name }: { readonly id: string; readonly name: string }): string {
  return NAMES[id] ?? name;
}
