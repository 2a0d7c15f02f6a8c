/** `__stack_chk_fail` in the stack that systemd-coredump prints. */
export const CANARY_FRAME = /#\d+ +0x[0-9a-f]+ (?:__stack_chk_fail|__fortify_fail)\b/;

/** The first frames of the thread that crashed; systemd prints it first. */
const FIRST_FRAME = /#0 +0x([0-9a-f]{1,16}) /;
const FIRST_FRAMES = /#0 +0x[0-9a-f]{1,16} (\S+)[^#]*(?:#012)?\s*(?:#1 +0x[0-9a-f]{1,16} (\S+))?/;
/** Functions of C libraries in which a process that aborts itself receives the signal. */
const RAISING =
  /^(?:(?:__GI_|__)?raise|__pthread_kill(?:_implementation|_internal)?|pthread_kill|(?:__GI_|__)?abort|gsignal|__restore_sigs|__syscall_cp_asm)$/;

/** Address of the instruction at which the process received the signal, in a stack that systemd-coredump prints; null without one. */
export function pointerOfStack(text: string): string | null {
  return FIRST_FRAME.exec(text)?.[1]?.padStart(16, '0') ?? null;
}

/** Whether the process sent the signal to itself, as `abort()` does: the first frame shows it, or the second where the first has no name. */
export function isAborted(text: string): boolean {
  const [, first, second] = FIRST_FRAMES.exec(text) ?? [];
  return RAISING.test((first === 'n/a' ? second : first) ?? '');
}
