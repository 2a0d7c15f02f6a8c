/** `__stack_chk_fail` in the stack that systemd-coredump prints. */
export const CANARY_FRAME = /#\d+ +0x[0-9a-f]+ (?:__stack_chk_fail|__fortify_fail)\b/;
