/** Limits of user rules: length of their text, work per event, and memory. */

/** Maximum number of enabled rules per installation. */
export const MAX_USER_RULES = 100;
/** Maximum length of a rule file, characters. */
export const MAX_SOURCE = 65_536;
/** Maximum total length of all enabled rules, characters. Each snapshot of a lane contains them. */
export const MAX_SOURCES = 524_288;
export const MAX_DOCUMENTS = 20;
export const MAX_YAML_DEPTH = 24;
export const MAX_YAML_NODES = 20_000;
/** Maximum number of values that a rule compares with, over all its selections. */
export const MAX_COMPARED_VALUES = 1_000;
/** Maximum length of one value, characters. */
export const MAX_VALUE = 512;
export const MAX_CONDITION = 2_000;
export const MAX_CONDITION_DEPTH = 32;
/** Maximum number of operands of a condition after `1 of` and `all of` are expanded. */
export const MAX_CONDITION_TERMS = 200;
/** Maximum number of instructions of all regular expressions and inner wildcards of a rule. */
export const MAX_REGEX_STATES = 2_000;
/** Maximum number of characters compared. Only the beginning of longer strings is compared. */
export const MAX_COMPARED_TEXT = 1_024;
export const MAX_CORRELATED_RULES = 10;
export const MAX_GROUP_FIELDS = 6;
export const MAX_EVENT_COUNT = 10_000;
export const MAX_VALUE_COUNT = 1_000;
export const MAX_TIMESPAN_SECONDS = 7 * 86_400;
/** Maximum number of groups per rule and lane. */
export const MAX_GROUPS = 5_000;
/** Maximum number of matching events per rule and lane. */
export const MAX_ENTRIES = 50_000;
/** Maximum number of matching events of all rules per lane. */
export const MAX_ENTRIES_OF_ALL = 500_000;
export const MAX_EPISODES_OF_GROUP = 4;
/** Maximum number of evidence values per detection. */
export const MAX_EPISODE_VALUES = 256;
export const MAX_CASES = 100;
/** Maximum number of events of all cases in a file, including repetitions. */
export const MAX_CASE_EVENTS = 20_000;
