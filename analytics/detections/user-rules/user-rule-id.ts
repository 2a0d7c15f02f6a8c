import { RULE_ID_PATTERN } from '#schemas/detection-terms.ts';

/** Prefix of the ids of user rules. Ids of built-in rules never have it. */
export const USER_RULE_PREFIX = 'user-';

/** Returns true if the id has the form of a user rule's id. The rule need not exist. */
export function isUserRuleId(id: string): boolean {
  return id.startsWith(USER_RULE_PREFIX) && id.length <= 100 && RULE_ID_PATTERN.test(id);
}
