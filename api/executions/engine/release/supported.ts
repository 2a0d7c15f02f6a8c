import { TASK_KINDS } from '../kind-registry.ts';

/**
 * Unsupported parts of the Serverless Workflow DSL 1.0 that belong to no task kind, by a dotted key. Each task kind
 * declares its own in `kinds/`. They are refused at release, so a step that can never work does not fail later in an
 * execution.
 *
 * OAuth 2 tokens are cached while they are valid. Every authentication scheme takes its values or the name of a secret.
 */
const GENERAL_REFUSALS = {
  'authentication.oauth2.grant':
    'The grant `authorization_code` needs a user in a browser. Use `client_credentials`, `password`, `refresh_token` or a token exchange.',
  'authentication.oauth2.client':
    'An OAuth 2 client needs `id` and `secret`, an `assertion` for `private_key_jwt`, or only an `id` for `none`.',
  'authentication.oauth2.part':
    'The grant needs this part: `password` needs `username` and `password`; `refresh_token` and a token exchange take their token from `subject`.',
  'authentication.certificate': 'A client certificate needs TLS: the address must begin with `https://`.',
  'endpoint.address': 'Requests go to addresses that begin with `http://` or `https://`.',
  'schema.resource':
    'A function from a catalog must contain its schemas inline. A release fetches only the schemas of its own definition.',
  'schema.address':
    'The URL of a schema must not contain an expression or `{name}`. The schema is fetched at release, when there is no input.',
  'schema.format': 'Only JSON Schema (`format: json`) is supported.',
  'evaluate.language': 'Only jq expressions are supported.',
  'directive.unknown': 'The list has no task of this name.',
  'reference.unknown': '`use` has nothing of this name.',
  'reference.secret': '`use.secrets` does not declare a secret of this name.',
  task: 'The task has no known kind.',
} as const;

export type GeneralRefusal = keyof typeof GENERAL_REFUSALS;

/** All reasons for refusals by key. Keys of task kinds are `<kind>.<name>`. */
export const REFUSALS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(GENERAL_REFUSALS),
  ...Array.from(TASK_KINDS, ([key, { refusals = {} }]) =>
    Object.entries(refusals).map(([name, reason]): [string, string] => [`${key}.${name}`, reason]),
  ).flat(),
]);
