import { z } from 'zod';
import type { Severity } from '#schemas/detection.ts';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import { headerText, httpUrl } from '../fields.ts';
import { answerLine, httpFailure, isSuccess } from '../http-answer.ts';
import { messageId, messageJson } from '../message-json.ts';
import { plainText, shortened } from '../message-text.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { OutputReach } from '../reach.ts';
import { jsonOf, oneByOne, sendJson } from '../send-request.ts';

const settings = z.strictObject({
  url: httpUrl.meta({
    title: 'URL',
    description: 'OTLP over HTTP for logs, such as https://collector.example.org:4318/v1/logs',
  }),
});
const secrets = z.strictObject({
  authorization: headerText.optional().meta({
    title: 'Authorization header',
    description: 'Value of the header Authorization, where the receiver demands one',
  }),
});

export const kind = defineOutputKind({
  label: 'OpenTelemetry logs',
  description: 'Sends one log record (OTLP, HTTP with JSON) for each detection.',
  order: 24,
  settings,
  secrets,
  receiver: ['url'],
  open: ({ reach, settings, secrets }) => openOtlpLogs(reach, settings, secrets),
});

/** The protocol permits retries only after these statuses. */
const RETRIED = new Set([429, 502, 503, 504]);
/** Statuses caused by the receiver or our credentials: messages wait until the operator corrects the cause. */
const OF_THE_RECEIVER = new Set([401, 403, 404, 405, 407]);

/**
 * Uses OTLP 1.x. 200 with `partialSuccess.rejectedLogRecords` refuses the record, which the protocol forbids to retry.
 * 429, 502, 503 and 504 are retried; other errors refuse the record. The protocol has no idempotency key; the attribute
 * `trapline.delivery.id` identifies the message.
 */
export function openOtlpLogs(
  { fetch }: Pick<OutputReach, 'fetch'>,
  { url }: z.output<typeof settings>,
  { authorization }: z.output<typeof secrets>,
): Output {
  const headers = authorization === undefined ? {} : { authorization };
  return oneByOne(async (message, signal) => {
    const response = await sendJson(fetch, { url, headers, body: logsOf(message) }, signal);
    const { status } = response;
    if (!isSuccess(response)) {
      const waits = RETRIED.has(status) || OF_THE_RECEIVER.has(status) || status < 400;
      throw httpFailure(response, Date.now(), { kind: waits ? 'temporary' : 'permanent' });
    }
    const { partialSuccess } = jsonOf(response) as { readonly partialSuccess?: PartialSuccess };
    if (Number(partialSuccess?.rejectedLogRecords ?? 0) === 0) return { answer: answerLine(response) };
    const reason = shortened(plainText(partialSuccess?.errorMessage ?? 'no reason'), 200);
    throw new OutputFailure('permanent', `the receiver rejected the record: ${reason}`);
  });
}

interface PartialSuccess {
  /** A 64-bit integer, which Protocol Buffers encode as a string in JSON. */
  readonly rejectedLogRecords?: string | number;
  readonly errorMessage?: string;
}

/** Numbers and short names of the log data model: FATAL, ERROR, WARN, INFO, INFO2. */
const SEVERITIES: Readonly<Record<Severity, readonly [number: number, text: string]>> = {
  critical: [21, 'FATAL'],
  high: [17, 'ERROR'],
  medium: [13, 'WARN'],
  low: [10, 'INFO2'],
  info: [9, 'INFO'],
};

function logsOf(message: OutputMessage): object {
  const { detection, cause, at } = message;
  const { id, revision, rule, severity, hostname, procname, executable, lastSeen } = detection;
  const [severityNumber, severityText] = SEVERITIES[severity];
  const record = {
    timeUnixNano: nanosOf(lastSeen),
    observedTimeUnixNano: `${at.getTime()}000000`,
    severityNumber,
    severityText,
    eventName: `trapline.detection.${cause}`,
    body: { stringValue: messageJson(message) },
    attributes: attributes({
      'trapline.delivery.id': messageId(message),
      'trapline.detection.id': id,
      'trapline.detection.revision': String(revision),
      'trapline.rule.id': rule.id,
      'trapline.severity': severity,
      'process.executable.name': procname,
      'process.executable.path': executable,
    }),
  };
  return {
    resourceLogs: [
      {
        resource: { attributes: attributes({ 'service.name': 'trapline', 'host.name': hostname }) },
        scopeLogs: [{ scope: { name: 'trapline', version: PRODUCT_VERSION }, logRecords: [record] }],
      },
    ],
  };
}

function attributes(values: Readonly<Record<string, string | null>>): object[] {
  return Object.entries(values).flatMap(([key, value]) =>
    value === null ? [] : [{ key, value: { stringValue: value.toWellFormed() } }],
  );
}

/** Returns the nanoseconds since the epoch of an instant with nine fractional digits. */
function nanosOf(instant: string): string {
  const [, seconds = '', nanos = '0'] = /^([^.]*?)(?:\.(\d{1,9}))?Z$/.exec(instant) ?? [];
  return String(BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(nanos.padEnd(9, '0')));
}
