/** `__stack_chk_fail` in a stack printed by systemd-coredump. */
export const CANARY_FRAME = /#\d+ +0x[0-9a-f]+ (?:__stack_chk_fail|__fortify_fail)\b/;

/** The first frames of the crashed thread, which systemd prints first. */
const FIRST_FRAME = /#0 +0x([0-9a-f]{1,16}) /;
const FIRST_FRAMES = /#0 +0x[0-9a-f]{1,16} (\S+)[^#]*(?:#012)?\s*(?:#1 +0x[0-9a-f]{1,16} (\S+))?/;
/** C library functions in which a process receives the signal when it aborts itself. */
const RAISING =
  /^(?:(?:__GI_|__)?raise|__pthread_kill(?:_implementation|_internal)?|pthread_kill|(?:__GI_|__)?abort|gsignal|__restore_sigs|__syscall_cp_asm)$/;

/**
 * Returns the address of the instruction at which the process received the signal, from a stack of systemd-coredump;
 * null if the text has no stack.
 */
export function pointerOfStack(text: string): string | null {
  return FIRST_FRAME.exec(text)?.[1]?.padStart(16, '0') ?? null;
}

/**
 * Returns true if the process sent the signal to itself, as `abort()` does. The first frame shows this, or the second
 * one if the first has no name.
 */
export function isAborted(text: string): boolean {
  const [, first, second] = FIRST_FRAMES.exec(text) ?? [];
  return RAISING.test((first === 'n/a' ? second : first) ?? '');
}
