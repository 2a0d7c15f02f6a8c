/** Id of an unprivileged account, for servers that refuse to run as root. */
export const UNPRIVILEGED_UID = 65_534;

/** Returns the command with its arguments, to run as this user if this process is root, else as the current user. */
export function asUser(
  uid: number,
  command: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  const launcher = process.getuid?.() === 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];
  const [first = '', ...args] = [...launcher, ...command];
  return { command: first, args };
}
