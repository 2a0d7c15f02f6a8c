import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';

/** Ids of rules that users write begin with this; those of the built-in rules never do. */
export const USER_RULE_PREFIX = 'user-';

/** Whether an id is that of a user's rule, whether there is such a rule or not. */
export function isUserRuleId(id: string): boolean {
  return id.startsWith(USER_RULE_PREFIX) && id.length <= 100 && RULE_ID_PATTERN.test(id);
}
