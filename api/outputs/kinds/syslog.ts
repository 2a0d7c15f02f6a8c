import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { z } from 'zod';
import { cef } from '#analytics/formats/cef.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { connectionProblem } from '#schemas/connection-problem.ts';
import type { Severity } from '#schemas/detection.ts';
import { choice, pem } from '../fields.ts';
import { messageJson } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';

const settings = z.strictObject({
  host: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,253}$/, 'must be a host name or an IP address')
    .meta({ title: 'Host', description: 'Name or IP address of the receiver' }),
  port: z.int().min(1).max(65_535).meta({ title: 'Port', description: 'Usually 6514 with TLS, 601 or 514 without' }),
  tls: z
    .boolean()
    .default(true)
    .meta({ title: 'TLS', description: 'RFC 5425. Without TLS, anyone on the network path can read the messages' }),
  format: choice({ cef: 'CEF', json: 'JSON' })
    .default('cef')
    .meta({ title: 'Format', description: 'Content of the message' }),
  facility: z
    .int()
    .min(0)
    .max(23)
    .default(13)
    .meta({ title: 'Facility', description: '0 to 23 (RFC 5424); 13 is log audit' }),
  serverName: storableText(253)
    .optional()
    .meta({ title: 'Server name', description: 'Name in the certificate of the receiver; default: the host' }),
  ca: pem('CA certificates', 'Trusted certificate authorities, PEM; default: those of the system').optional(),
  certificate: pem('Client certificate', 'PEM; its key is the secret `key`').optional(),
});
const secrets = z.strictObject({
  key: pem('Client key', 'Key of the client certificate, PEM').optional(),
});

export const kind = defineOutputKind({
  label: 'Syslog',
  description: 'Sends one message (RFC 5424) for each detection over TCP or TLS, as SIEMs accept it.',
  order: 3,
  settings,
  secrets,
  receiver: ['host', 'port', 'tls', 'serverName', 'ca'],
  open: ({ settings, secrets }) => openSyslog(settings, secrets),
});

/**
 * Time limit for the receiver to close its side, ms. Receivers that take longer keep half-closed connections open by
 * design.
 */
const CLOSE_TIMEOUT_MS = 3_000;
const MAX_BATCH = 50;

/**
 * Sends syslog over TCP or TLS. The protocol has no acknowledgements: data in the kernel of a dead receiver is lost
 * without notice. Therefore every delivery opens a connection and half-closes it. A receiver that then closes its side
 * has read everything. A reset connection is a failure, and the batch is sent again.
 */
export function openSyslog(given: z.output<typeof settings>, { key }: z.output<typeof secrets>): Output {
  const { host, port, tls } = given;
  const frame = { format: given.format, facility: given.facility, hostname: hostname() };

  return {
    maxBatch: MAX_BATCH,
    async deliver(batch, signal) {
      const bytes = Buffer.concat(batch.map((message) => syslogFrame(message, frame)));
      const outcome = await exchange(bytes, signal);
      return { answer: `${outcome} after ${bytes.length} bytes${tls ? ' over TLS' : ''}` };
    },
    close: async () => {},
  };

  function open(): Socket {
    if (!tls) return connectTcp({ host, port });
    const { serverName = host, ca, certificate } = given;
    return connectTls({
      host,
      port,
      minVersion: 'TLSv1.2',
      ...(isIP(serverName) === 0 ? { servername: serverName } : {}),
      ...(ca === undefined ? {} : { ca }),
      ...(certificate === undefined || key === undefined ? {} : { cert: certificate, key }),
    });
  }

  function exchange(bytes: Buffer, signal: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      let closeTimer: NodeJS.Timeout | undefined;
      const socket = open();
      const fail = (text: string, cause?: unknown) =>
        settle(() => reject(new OutputFailure('temporary', text, { cause })));
      const onAbort = () => fail('the receiver did not read everything in time', signal.reason);
      function settle(finish: () => void): void {
        clearTimeout(closeTimer);
        signal.removeEventListener('abort', onAbort);
        socket.on('error', () => {}).destroy();
        finish();
      }
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      socket.once('error', (error) => fail(textOf(error), error));
      socket.once(tls ? 'secureConnect' : 'connect', () => {
        socket.end(bytes, () => {
          closeTimer = setTimeout(
            () => settle(() => resolve('the receiver kept the connection open')),
            CLOSE_TIMEOUT_MS,
          );
        });
      });
      // The end of the receiver's side counts only after ours: a receiver that closes immediately has read nothing.
      socket.once('end', () => {
        if (!socket.writableFinished) fail('the receiver closed the connection before it had read everything');
      });
      socket.once('close', (hadError) => {
        if (hadError) return;
        if (socket.writableFinished) settle(() => resolve('the receiver closed the connection'));
        else fail('the receiver closed the connection before it had read everything');
      });
      socket.resume(); // the protocol has no responses
    });
  }
}

function textOf(error: Error): string {
  const problem = connectionProblem(error) ?? (error as NodeJS.ErrnoException).code ?? error.name;
  return `writing to the receiver failed: ${problem}`;
}

export interface SyslogFrameConfig {
  readonly format: 'cef' | 'json';
  /** 0 to 23, RFC 5424, table 1. */
  readonly facility: number;
  /** The host that reports, not the attacked one. */
  readonly hostname: string;
}

/** RFC 5424, table 2: from critical (2) to informational (6). */
const SEVERITY: Readonly<Record<Severity, number>> = { critical: 2, high: 3, medium: 4, low: 5, info: 6 };

/**
 * Returns a message of RFC 5424 prefixed with its length in bytes (octet counting, RFC 6587 and 5425), so that no
 * content can end it early. The structured data contains detection, revision and cause under 32473, the enterprise
 * number that RFC 5612 reserves for examples. The text has no byte order mark: many readers of CEF and JSON parse it as
 * content, and RFC 5424 permits any bytes without it.
 */
export function syslogFrame(message: OutputMessage, { format, facility, hostname }: SyslogFrameConfig): Buffer {
  const { detection, cause, at } = message;
  const priority = facility * 8 + SEVERITY[detection.severity];
  const head = [
    `<${priority}>1`,
    at.toISOString(),
    headerField(hostname, 255),
    'trapline',
    '-',
    `detection.${cause}`,
    `[detection@32473 id="${detection.id}" revision="${detection.revision}" cause="${cause}"]`,
  ].join(' ');
  const text = format === 'json' ? messageJson(message) : cefText(message);
  const body = Buffer.from(`${head} ${text}`);
  return Buffer.concat([Buffer.from(`${body.length} `), body]);
}

/** Returns CEF with the cause of the message in the field `cat`. */
function cefText({ detection, cause }: OutputMessage): string {
  return `${cef.detection?.(detection) ?? ''} cat=detection.${cause}`;
}

/** Returns printable ASCII without spaces, or `-` if nothing remains. */
function headerField(text: string, maxLength: number): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, maxLength) || '-';
}
