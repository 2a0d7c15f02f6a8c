/** Bounds of rules that users write: of their text, of their work for each event, and of what they remember. */

/** Rules that are on, of one installation. */
export const MAX_USER_RULES = 100;
/** Characters of a rule file. */
export const MAX_SOURCE = 65_536;
/** Characters of all rules that are on: they are stored with each snapshot of a lane. */
export const MAX_SOURCES = 524_288;
export const MAX_DOCUMENTS = 20;
export const MAX_YAML_DEPTH = 24;
export const MAX_YAML_NODES = 20_000;
/** Values that a rule compares with, of all its selections together. */
export const MAX_COMPARED_VALUES = 1_000;
/** Characters of one value. */
export const MAX_VALUE = 512;
export const MAX_CONDITION = 2_000;
export const MAX_CONDITION_DEPTH = 32;
/** Operands of a condition after `1 of` and `all of` are written out. */
export const MAX_CONDITION_TERMS = 200;
/** Instructions of all regular expressions and inner wildcards of a rule. */
export const MAX_REGEX_STATES = 2_000;
/** Longer texts of events are compared by their beginning. */
export const MAX_COMPARED_TEXT = 1_024;
export const MAX_CORRELATED_RULES = 10;
export const MAX_GROUP_FIELDS = 6;
export const MAX_EVENT_COUNT = 10_000;
export const MAX_VALUE_COUNT = 1_000;
export const MAX_TIMESPAN_SECONDS = 7 * 86_400;
/** Groups that a rule remembers in one lane. */
export const MAX_GROUPS = 5_000;
/** Matching events that a rule remembers in one lane. */
export const MAX_ENTRIES = 50_000;
/** The same of all rules in one lane. */
export const MAX_ENTRIES_OF_ALL = 500_000;
export const MAX_EPISODES_OF_GROUP = 4;
/** Evidence values that a detection holds. */
export const MAX_EPISODE_VALUES = 256;
export const MAX_CASES = 100;
/** Events of all cases of a file, repetitions included. */
export const MAX_CASE_EVENTS = 20_000;
