/** An account that is not root, for servers that refuse to run as root. */
export const UNPRIVILEGED_UID = 65_534;

/** The command with its arguments, as the user when this process is root and as this process otherwise. */
export function asUser(
  uid: number,
  command: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  const launcher = process.getuid?.() === 0 ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'] : [];
  const [first = '', ...args] = [...launcher, ...command];
  return { command: first, args };
}
