/** Where a service runs: at an address of a network that the program `within` enters before it executes the service. */
export interface Place {
  readonly address: string;
  /** A second address in the same network, for services that distinguish clients from peers. */
  readonly peerAddress: string;
  /**
   * A program with arguments that executes the command after them, such as nsenter(1). Empty: the network of this
   * process.
   */
  readonly within: readonly string[];
}

/** The loopback of this process, where services run by default. */
export const LOOPBACK: Place = { address: '127.0.0.1', peerAddress: '127.0.0.2', within: [] };

/** Returns the command with its arguments to run it at the place. */
export function commandAt(
  place: Place,
  command: string,
  args: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  const [first = command, ...rest] = [...place.within, command, ...args];
  return { command: first, args: rest };
}
