import { connect } from 'node:net';

/**
 * Returns true if a process accepts connections on a port. Kafka opens its port when it can serve. Plain JavaScript,
 * because the training of Kafka's class archive uses it at installation.
 * @param {number} port
 * @param {string} [address] default: the loopback
 * @returns {Promise<boolean>}
 */
export function listens(port, address = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = connect(port, address);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
