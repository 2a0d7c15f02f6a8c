import { connect } from 'node:net';

/**
 * Whether something accepts connections on a loopback port; Kafka opens its port when it can serve. Plain JavaScript: the training of
 * Kafka's class archive needs it too, at installation.
 * @param {number} port
 * @returns {Promise<boolean>}
 */
export function listens(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
