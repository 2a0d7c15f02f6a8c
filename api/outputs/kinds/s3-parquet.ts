import { z } from 'zod';
import { headerText, httpUrl } from '../fields.ts';
import { answerLine, httpFailure, isSuccess } from '../http-answer.ts';
import { messageId } from '../message-json.ts';
import { defineOutputKind } from '../output-kind.ts';
import { type Output, OutputFailure, type OutputMessage } from '../port.ts';
import type { EncodeParquet, OutputReach } from '../reach.ts';
import { sendRequest, urlBelow } from '../send-request.ts';
import { signAwsRequest } from '../sign-aws-request.ts';

const settings = z.strictObject({
  bucket: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must be the name of a bucket')
    .meta({ title: 'Bucket', description: 'Name of an existing bucket' }),
  region: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must be a region')
    .meta({ title: 'Region', description: 'Region of the bucket, such as eu-central-1' }),
  prefix: z
    .string()
    .regex(/^[\w./=-]{0,200}$/, 'must consist of letters, digits and . _ / = -')
    .refine((prefix) => !/(?:^|\/)\.{1,2}(?:\/|$)/.test(prefix), 'must not have a part . or ..')
    .default('detections/')
    .meta({ title: 'Prefix', description: 'Prefix of the object names' }),
  endpoint: httpUrl
    .optional()
    .meta({ title: 'Endpoint', description: 'URL of an S3-compatible store, such as MinIO; default: Amazon S3' }),
  accessKeyId: headerText
    .max(128)
    .meta({ title: 'Access key id', description: 'Access key id of an account with permission to write objects' }),
});
const secrets = z.strictObject({
  secretAccessKey: headerText.meta({ title: 'Secret access key', description: 'Secret of the access key' }),
});

export const kind = defineOutputKind({
  label: 'S3 (Parquet)',
  description: 'Writes detections as Parquet objects to a bucket, for data lakes.',
  order: 25,
  settings,
  secrets,
  receiver: ['bucket', 'endpoint', 'region', 'accessKeyId'],
  unavailable: ({ parquet }) => (parquet === undefined ? 'this process cannot encode Parquet' : undefined),
  open: ({ reach, outputId, settings, secrets }) => openS3Parquet(reach, { ...settings, outputId }, secrets),
});

const MAX_BATCH = 200;

/**
 * Writes one object per delivery. Its name contains the first message and the output. A retry begins with the same
 * message and therefore replaces the object; another output with the same prefix does not. S3 refuses requests only
 * because of the bucket, the key or the clock, so messages always wait.
 */
export function openS3Parquet(
  { fetch, parquet }: Pick<OutputReach, 'fetch' | 'parquet'>,
  {
    bucket,
    region,
    prefix,
    endpoint,
    accessKeyId,
    outputId,
  }: z.output<typeof settings> & { readonly outputId: string },
  { secretAccessKey }: z.output<typeof secrets>,
): Output {
  const encode = parquet as EncodeParquet;
  const credentials = { accessKeyId, secretAccessKey, region, service: 's3' };
  const base =
    endpoint === undefined ? `https://${bucket}.s3.${region}.amazonaws.com` : urlBelow(endpoint, `/${bucket}`);

  return {
    maxBatch: MAX_BATCH,
    async deliver(batch, signal) {
      const [first] = batch;
      if (first === undefined) return { answer: '' };
      const body = await encode(batch.map(rowOf), signal).catch((cause: unknown) => {
        throw new OutputFailure('temporary', 'the messages could not be encoded as Parquet', { cause });
      });
      const name = `${prefix}${nameOf(first, outputId)}`;
      const request = { method: 'PUT' as const, url: `${base}/${name}`, body };
      const type = { 'content-type': 'application/vnd.apache.parquet' };
      const headers = signAwsRequest({ ...request, headers: type }, credentials, new Date());
      const response = await sendRequest(fetch, { ...request, headers }, signal);
      if (!isSuccess(response)) throw httpFailure(response, Date.now(), { kind: 'temporary' });
      return { answer: `${answerLine(response)}: ${batch.length === 1 ? '1 row' : `${batch.length} rows`} in ${name}` };
    },
    close: async () => {},
  };
}

function rowOf(message: OutputMessage) {
  const { cause, at, detection } = message;
  return { delivery: messageId(message), cause, at, detection };
}

/** Returns a name such as `dt=2026-03-01/120000123-det_…-1-opened-out_….parquet`, with one partition per day. */
function nameOf({ at, cause, detection }: OutputMessage, outputId: string): string {
  const [day = '', time = ''] = at.toISOString().split('T');
  return `dt=${day}/${time.replace(/\D/g, '')}-${detection.id}-${detection.revision}-${cause}-${outputId}.parquet`;
}
