import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { OutputSecrets, OutputSettings } from '#schemas/api/outputs.ts';
import { type Output, OutputFailure } from '../port.ts';
import { syslogFrame } from './syslog-frame.ts';

/** How long the receiver may take to close after we did, ms. Longer ones keep half-closed connections open as a habit. */
const FAREWELL_MS = 3_000;
const AT_ONCE = 50;

/**
 * Syslog over TCP or TLS. It has no acknowledgements: what a dead receiver's kernel took is lost without notice. So every delivery has a
 * connection of its own and ends it: a receiver that answers the end by ending too has read all that came before. A connection that is reset
 * instead is a failure, and the batch is sent again.
 */
export function openSyslog(settings: OutputSettings<'syslog'>, secrets: OutputSecrets<'syslog'>): Output {
  const { host, port, tls } = settings;
  const frame = { format: settings.format, facility: settings.facility, hostname: hostname() };

  return {
    atOnce: AT_ONCE,
    async deliver(batch, signal) {
      const bytes = Buffer.concat(batch.map((message) => syslogFrame(message, frame)));
      const said = await conversation(bytes, signal);
      return { answer: `${said} after ${bytes.length} bytes${tls ? ' over TLS' : ''}` };
    },
    close: async () => {},
  };

  function open(): Socket {
    if (!tls) return connectTcp({ host, port });
    const { serverName = host, ca, certificate } = settings;
    return connectTls({
      host,
      port,
      minVersion: 'TLSv1.2',
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined || secrets.key === undefined ? {} : { cert: certificate, key: secrets.key }),
    });
  }

  function conversation(bytes: Buffer, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      let farewell: NodeJS.Timeout | undefined;
      const socket = open();
      const fail = (text: string, cause?: unknown) =>
        settle(() => reject(new OutputFailure('temporary', text, { cause })));
      const onAbort = () => fail('the receiver did not take it in time', signal.reason);
      function settle(finish: () => void): void {
        clearTimeout(farewell);
        signal.removeEventListener('abort', onAbort);
        socket.on('error', () => {}).destroy();
        finish();
      }
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      socket.once('error', (error) => fail(textOf(error), error));
      socket.once(tls ? 'secureConnect' : 'connect', () => {
        socket.end(bytes, () => {
          farewell = setTimeout(() => settle(() => resolve('the receiver kept the connection open')), FAREWELL_MS);
        });
      });
      // Its end counts only behind ours: one that hangs up at once has read nothing.
      socket.once('end', () => {
        if (!socket.writableFinished) fail('the receiver closed the connection before it had everything');
      });
      socket.once('close', (hadError) => {
        if (hadError) return;
        if (socket.writableFinished) settle(() => resolve('the receiver closed the connection'));
        else fail('the receiver closed the connection before it had everything');
      });
      socket.resume(); // what a receiver may say is no part of the protocol
    });
  }
}

function textOf(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? error.name;
  return `the receiver can not be written to: ${code}`;
}
