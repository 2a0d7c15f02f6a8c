/** Where a service runs: at an address, within a network that the program `within` enters before it becomes the service. */
export interface Place {
  readonly address: string;
  /** A second address of the same network, for services that distinguish clients from their own kind. */
  readonly peerAddress: string;
  /** A program with arguments that becomes the command after them, such as nsenter(1). Empty: the network of this process. */
  readonly within: readonly string[];
}

/** The loopback of this process, where tests start services unless they choose another place. */
export const LOOPBACK: Place = { address: '127.0.0.1', peerAddress: '127.0.0.2', within: [] };

/** The command with its arguments, run at the place. */
export function commandAt(
  place: Place,
  command: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  const [first = command, ...rest] = [...place.within, command, ...args];
  return { command: first, args: rest };
}
