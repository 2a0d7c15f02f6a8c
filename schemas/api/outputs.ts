import { z } from 'zod';
import { ruleIdSchema, SEVERITIES } from '../detection.ts';
import { isStorable, NOT_STORABLE, storableText } from './storable-text.ts';

export const OUTPUT_TYPES = ['syslog', 'webhook', 'kafka', 'chat', 'file', 'workflows'] as const;
export type OutputType = (typeof OUTPUT_TYPES)[number];
export const OUTPUT_CAUSES = ['opened', 'grown', 'closed'] as const;

const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http or https address is expected' })
  .max(2_048)
  .refine(isStorable, NOT_STORABLE)
  .refine((text) => !/^https?:\/\/[^/?#]*@/i.test(text), 'without user and password');
const pem = z.string().startsWith('-----BEGIN ').max(65_536).refine(isStorable, NOT_STORABLE);
const secretText = z
  .string()
  .max(8_192)
  .regex(/^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/, 'printable ASCII is expected');

/** The settings of the receiver of each type of output. No response contains `secrets`. */
export const OUTPUT_SHAPES = {
  syslog: {
    settings: z.strictObject({
      host: z
        .string()
        .regex(/^[A-Za-z0-9_.:-]{1,253}$/, 'a host name or an address is expected')
        .describe('Name or address of the receiver'),
      port: z.int().min(1).max(65_535).describe('6514 is usual with TLS, 601 or 514 without'),
      tls: z.boolean().default(true).describe('RFC 5425; without it everybody on the way can read along'),
      format: z.enum(['cef', 'json']).default('cef').describe('What stands in the message'),
      facility: z.int().min(0).max(23).default(13).describe('RFC 5424; 13 is log audit'),
      serverName: storableText(253).optional().describe('Whose certificate is expected; default: host'),
      ca: pem.optional().describe('Certificates to trust, PEM; default: those of the system'),
      certificate: pem.optional().describe('Client certificate, PEM; its key is the secret `key`'),
    }),
    secrets: z.strictObject({ key: pem.optional().describe('Key of the client certificate, PEM') }),
  },
  webhook: {
    settings: z.strictObject({ url: httpUrl.describe('Where each is posted, as JSON') }),
    secrets: z.strictObject({
      signingKey: secretText
        .min(16)
        .describe('Signs `timestamp.body` with HMAC-SHA-256; see the header x-trapline-signature'),
      authorization: secretText.optional().describe('Sent as the header Authorization'),
    }),
  },
  kafka: {
    settings: z.strictObject({
      topic: z
        .string()
        .regex(/^(?!\.{1,2}$)[\w.-]{1,249}$/, 'the name of a topic is expected')
        .describe('A topic of the brokers this installation is connected to; it has to be there'),
    }),
    secrets: z.strictObject({}),
  },
  chat: {
    settings: z.strictObject({
      style: z
        .enum(['slack', 'text'])
        .default('slack')
        .describe('`slack`: JSON with a field text, as Slack, Mattermost and others take it; `text`: plain text'),
    }),
    secrets: z.strictObject({ url: httpUrl.describe('The address the chat gave you; who knows it can post') }),
  },
  file: {
    settings: z.strictObject({
      name: z
        .string()
        .regex(/^[A-Za-z0-9_][\w.-]{0,126}$/, 'the name of a file, without folders, is expected')
        .describe('A file in the folder TRAPLINE_OUTPUT_DIR; it is made when missing, and may be renamed for rotation'),
      format: z
        .enum(['ecs', 'json'])
        .default('ecs')
        .describe('`ecs`: an alert of the Elastic Common Schema a line; `json`: what webhooks get'),
    }),
    secrets: z.strictObject({}),
  },
  workflows: { settings: z.strictObject({}), secrets: z.strictObject({}) },
} as const satisfies Record<OutputType, { readonly settings: z.ZodObject; readonly secrets: z.ZodObject }>;

/** Settings and secrets of an output, by its type. */
export type OutputSettings<T extends OutputType> = z.output<(typeof OUTPUT_SHAPES)[T]['settings']>;
export type OutputSecrets<T extends OutputType> = z.output<(typeof OUTPUT_SHAPES)[T]['secrets']>;

/** What is sent; nothing given: everything. */
export const outputFilterSchema = z.strictObject({
  minSeverity: z.enum(SEVERITIES).optional().describe('Only of this severity or above'),
  rules: z.array(ruleIdSchema).min(1).max(100).optional().describe('Only of these rules'),
  hosts: z.array(storableText(255)).min(1).max(100).optional().describe('Only of these hosts; * stands for anything'),
  causes: z
    .array(z.enum(OUTPUT_CAUSES))
    .min(1)
    .max(OUTPUT_CAUSES.length)
    .optional()
    .describe('Only when opened, grown or closed'),
});
export type OutputFilter = z.output<typeof outputFilterSchema>;

const name = z.string().trim().min(1).max(100).refine(isStorable, NOT_STORABLE).describe('Unique, whatever its case');
const common = {
  name,
  enabled: z.boolean().default(true).describe('One that is not keeps its place, and goes on from there'),
  filter: outputFilterSchema.default({}),
};

function newOutput<T extends OutputType>(type: T) {
  const { settings, secrets } = OUTPUT_SHAPES[type];
  return z.strictObject({ type: z.literal(type), ...common, settings, secrets });
}

export const newOutputSchema = z.discriminatedUnion('type', [
  newOutput('syslog').extend({ secrets: OUTPUT_SHAPES.syslog.secrets.default({}) }),
  newOutput('webhook'),
  newOutput('kafka').extend({ secrets: OUTPUT_SHAPES.kafka.secrets.default({}) }),
  newOutput('chat'),
  newOutput('file').extend({ secrets: OUTPUT_SHAPES.file.secrets.default({}) }),
  newOutput('workflows').extend({
    settings: OUTPUT_SHAPES.workflows.settings.default({}),
    secrets: OUTPUT_SHAPES.workflows.secrets.default({}),
  }),
]);
export type NewOutput = z.output<typeof newOutputSchema>;

export const outputChangeSchema = z.strictObject({
  name: name.optional(),
  enabled: z.boolean().optional(),
  filter: outputFilterSchema.optional().describe('Replaces the whole filter'),
  settings: z.record(z.string(), z.unknown()).optional().describe('Replaces all settings, as when it was made'),
  secrets: z
    .record(z.string(), z.string().nullable())
    .optional()
    .describe('Replaces those named; null takes one away. A new receiver needs its secrets again'),
});
export type OutputChange = z.output<typeof outputChangeSchema>;

export const outputIdSchema = z.string().regex(/^out_[0-9a-f]{32}$/);
const time = z.iso.datetime();

export const outputSchema = z.object({
  id: outputIdSchema,
  etag: z.string().describe('Of its definition; for If-Match'),
  name: z.string(),
  type: z.enum(OUTPUT_TYPES),
  enabled: z.boolean(),
  settings: z.record(z.string(), z.unknown()),
  filter: outputFilterSchema,
  secrets: z.array(z.string()).describe('Names of the secrets that are set'),
  createdAt: time,
  createdBy: z.string(),
  updatedAt: time,
});

export const deadLetterOfOutputSchema = z.object({
  id: z.int(),
  detection: z.string().describe('Id of the detection'),
  revision: z.int(),
  cause: z.enum(OUTPUT_CAUSES),
  reason: z.string().describe('What the receiver said'),
  state: z
    .enum(['refused', 'waiting', 'delivered'])
    .describe('`waiting`: it is sent again; `delivered`: the receiver took it then'),
  at: time.describe('When it came into this state'),
});

export const deliveriesSchema = z.object({
  state: z
    .enum(['idle', 'delivering', 'retrying', 'paused'])
    .describe('`retrying`: the receiver did not take it, and everything waits in order; `paused`: not enabled'),
  lag: z.object({
    messages: z.int().describe('How many wait, up to 10,000'),
    oldestAt: time.nullable().describe('Since when the first of them waits'),
  }),
  delivered: z.int().describe('Since it was made'),
  lastDeliveredAt: time.nullable(),
  attempts: z.int().describe('Tries of what is next that failed'),
  nextAttemptAt: time.nullable(),
  lastError: z.object({ at: time, message: z.string() }).nullable(),
  deadLetters: z.object({
    data: z.array(deadLetterOfOutputSchema),
    nextCursor: z.string().nullable(),
  }),
});

export const outputTestSchema = z.object({
  ok: z.boolean().describe('Whether the receiver took it'),
  answer: z.string().describe('What the receiver said, or why it could not be asked'),
  ms: z.int(),
});

export const resendSchema = z.strictObject({
  ids: z.array(z.int().min(1)).min(1).max(1_000).optional().describe('Dead letters; without it all that were refused'),
});
