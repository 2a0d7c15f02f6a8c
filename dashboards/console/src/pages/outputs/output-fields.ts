import type { OutputKind } from './output-kinds.ts';

/** A field of the form of an output. */
export interface OutputField {
  readonly name: string;
  readonly label: string;
  readonly description?: string;
  readonly kind: 'text' | 'number' | 'switch' | 'choice' | 'pem';
  readonly required?: boolean;
  /** What the API takes when nothing is given. */
  readonly default?: string | number | boolean;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

export interface KindFields {
  readonly label: string;
  /** What happens with it, in a sentence. */
  readonly what: string;
  readonly settings: readonly OutputField[];
  /** They go in, and come out nowhere. */
  readonly secrets: readonly OutputField[];
}

/** What the console asks for each kind of receiver: the fields of the API's description, with words for people. */
export const OUTPUT_FIELDS: Readonly<Record<OutputKind, KindFields>> = {
  webhook: {
    label: 'Webhook',
    what: 'Each is posted as JSON, signed with a key that you choose.',
    settings: [{ name: 'url', label: 'Address', description: 'Where each is posted', kind: 'text', required: true }],
    secrets: [
      {
        name: 'signingKey',
        label: 'Signing key',
        description: '16 characters at least; the receiver checks the header x-trapline-signature with it',
        kind: 'text',
        required: true,
      },
      { name: 'authorization', label: 'Authorization', description: 'Sent as the header of this name', kind: 'text' },
    ],
  },
  chat: {
    label: 'Chat',
    what: 'A few lines for people, posted to the address that the chat gave you.',
    settings: [
      {
        name: 'style',
        label: 'Style',
        kind: 'choice',
        default: 'slack',
        choices: [
          { value: 'slack', label: 'JSON with a text: Slack, Mattermost and others' },
          { value: 'text', label: 'Plain text' },
        ],
      },
    ],
    secrets: [
      {
        name: 'url',
        label: 'Address',
        description: 'Who knows it can post: it is kept secret',
        kind: 'text',
        required: true,
      },
    ],
  },
  syslog: {
    label: 'Syslog',
    what: 'A message each (RFC 5424) over TCP, as SIEMs take it.',
    settings: [
      { name: 'host', label: 'Host', description: 'Name or address of the receiver', kind: 'text', required: true },
      {
        name: 'port',
        label: 'Port',
        description: '6514 is usual with TLS, 601 or 514 without',
        kind: 'number',
        required: true,
      },
      {
        name: 'tls',
        label: 'Encrypted (TLS)',
        description: 'Without it everybody on the way can read along',
        kind: 'switch',
        default: true,
      },
      {
        name: 'format',
        label: 'Format',
        kind: 'choice',
        default: 'cef',
        choices: [
          { value: 'cef', label: 'CEF' },
          { value: 'json', label: 'JSON' },
        ],
      },
      { name: 'facility', label: 'Facility', description: '0 to 23; 13 is log audit', kind: 'number', default: 13 },
      { name: 'serverName', label: 'Name in its certificate', description: 'Nothing: the host', kind: 'text' },
      { name: 'ca', label: 'Certificates to trust', description: 'PEM; nothing: those of the system', kind: 'pem' },
      { name: 'certificate', label: 'Client certificate', description: 'PEM; its key is a secret', kind: 'pem' },
    ],
    secrets: [{ name: 'key', label: 'Key of the client certificate', description: 'PEM', kind: 'pem' }],
  },
  kafka: {
    label: 'Kafka',
    what: 'A record each, on a topic of the brokers that this Trapline is connected to.',
    settings: [{ name: 'topic', label: 'Topic', description: 'It has to be there', kind: 'text', required: true }],
    secrets: [],
  },
  file: {
    label: 'File',
    what: 'A line each, in a file on the server that a SIEM’s collector reads.',
    settings: [
      {
        name: 'name',
        label: 'Name of the file',
        description: 'Without folders; in the folder TRAPLINE_OUTPUT_DIR of the server',
        kind: 'text',
        required: true,
      },
      {
        name: 'format',
        label: 'Format',
        kind: 'choice',
        default: 'ecs',
        choices: [
          { value: 'ecs', label: 'Elastic Common Schema' },
          { value: 'json', label: 'JSON, as webhooks get it' },
        ],
      },
    ],
    secrets: [],
  },
  workflows: {
    label: 'Workflows',
    what: 'Workflows that listen for detections are started.',
    settings: [],
    secrets: [],
  },
};
