/**
 * What of the Serverless Workflow DSL 1.0 is run, and what is refused when a definition is released. A release is refused for anything that the
 * interpreter would only find out while running: a step that never could have worked must not fail at three in the night.
 *
 * | part of the language | run | how, or why not |
 * |---|---|---|
 * | `do`, `set`, `switch`, `for`, `fork`, `try`, `raise`, `wait`, `emit`, `listen` | yes | by the interpreter |
 * | `call: http`, `call` of a name in `use.functions` or of `built-in-functions.ts` | yes | http by the worker, through the outbound guard |
 * | `run.script` (JavaScript), `run.workflow` | yes | by the worker |
 * | `call: grpc`, `openapi`, `asyncapi`; `run.container`, `run.shell`; catalogs, extensions | no | see the reasons |
 *
 * Keys are dotted places in the language; `check-supported.ts` looks them up while it walks a definition.
 */
export type Support =
  | { readonly runs: true; readonly note: string }
  | { readonly runs: false; readonly reason: string };

const yes = (note: string): Support => ({ runs: true, note });
const no = (reason: string): Support => ({ runs: false, reason });

export const SUPPORTED = {
  do: yes('Tasks one after another; `then` may name a task of the same list.'),
  set: yes('An object of literals and expressions, or one expression that gives an object.'),
  switch: yes('The first case whose `when` is true; a case without `when` is the default, wherever it stands.'),
  for: yes(
    '`each`, `in`, `at`, `while`. The output of a turn is the input of the next one. `exit` ends the turn, not the loop.',
  ),
  fork: yes(
    'Branches at once; the output is the list of their outputs. With `compete` the first that completes wins; it fails when all have failed.',
  ),
  try: yes(
    '`catch` with `errors.with`, `as`, `when`, `exceptWhen`, `retry`, `do`. Retries come first, `do` when they are used up.',
  ),
  raise: yes('An error inline or by name from `use.errors`.'),
  wait: yes('Inline durations and ISO 8601 (no years and months: their length depends on the date).'),
  'wait.duration': no('This is no duration: use inline units, or ISO 8601 in weeks, days, hours, minutes and seconds.'),
  emit: yes('CloudEvents 1.0; id and time are set where the definition gives none. The event is the output.'),
  listen: yes(
    'To `one`, `any` (also every event there is) or `all`, with `correlate`; reads `data`, `envelope` or `raw`. The output is the list of events.',
  ),
  'listen.foreach': yes(
    '`item`, `at`, `do`, `output`, `export`: one event after another, each beginning with the event; the output is the list of what came of them.',
  ),
  'listen.to.any.until': yes(
    'An expression, asked of the list of what was taken, or a strategy, whose events are no part of the output.',
  ),
  'call.http': yes('Method, endpoint with `{name}` from the input, headers, query, body, output, redirect.'),
  'call.function': yes(
    'A name in `use.functions`, or a function of the product (`trapline.…`); `with` is the input of the function.',
  ),
  'call.grpc': no('`call: grpc` is not run here: offer the service over HTTP and use `call: http`.'),
  'call.openapi': no('`call: openapi` is not run here: write the operation as `call: http`.'),
  'call.asyncapi': no('`call: asyncapi` is not run here: use `emit` and `listen`, or `call: http`.'),
  'call.a2a': no('`call: a2a` is not run here: use `call: http`.'),
  'call.mcp': no('`call: mcp` is not run here: use `call: http`.'),
  'call.unknown': no(
    'There is no function of this name in `use.functions` and none of the product, and catalogs of functions are not used here.',
  ),
  'authentication.basic': yes('User name and password, or the name of a secret that holds both as JSON.'),
  'authentication.bearer': yes('A token, or the name of a secret that is the token.'),
  'authentication.digest': no('Digest authentication is not done here: use `basic` or `bearer`.'),
  'authentication.oauth2': yes('The grant `client_credentials`; the token is kept as long as it is good for.'),
  'authentication.oauth2.grant': no(
    'Of OAuth 2 only the grant `client_credentials` is done here: others need a person.',
  ),
  'authentication.oauth2.client': no(
    'A client of OAuth 2 has an `id` and a `secret` here, and says who it is by `client_secret_post` or `client_secret_basic`.',
  ),
  'authentication.oauth2.part': no('This part of OAuth 2 is not done here.'),
  'authentication.oidc': no(
    'OpenID Connect is not done here: fetch the token with `call: http` and send it as a `bearer` token.',
  ),
  'authentication.certificate': no('Client certificates are not used here.'),
  'run.script': yes('JavaScript (`js`, `javascript`) inline, without network and files; its value is the output.'),
  'run.script.language': no('Only JavaScript (`js`, `javascript`) is run here.'),
  'run.script.source': no(
    'Scripts from elsewhere are not fetched: put the code inline, so that a release never changes.',
  ),
  'run.script.await': no('`await: false` is for workflows: a script is always waited for.'),
  'run.workflow': yes('Waits for its result unless `await: false`; `namespace` is not looked at.'),
  'run.container': no('Containers are not run here: use `run.script`, or `call: http` to a service.'),
  'run.shell': no('Shell commands are not run here: use `run.script`, or `call: http` to a service.'),
  'run.return': no('A script or workflow gives its value: `return` other than `stdout` or `none` is not run here.'),
  'schema.resource': no(
    'Schemas from elsewhere are not fetched: put the document inline, so that a release never changes.',
  ),
  'schema.format': no('Only JSON Schema (`format: json`) is checked here.'),
  'use.extensions': no('Extensions are not run here: write the tasks where they are to run.'),
  'use.catalogs': no('Catalogs are not fetched: put functions into `use.functions`, so that a release never changes.'),
  'evaluate.language': no('Expressions are jq here.'),
  'evaluate.mode': no('Only the strict mode is run here: what is not written as an expression is a literal.'),
  directive: yes(
    '`continue`, `exit`, `end`, or a task of the same list. The directive of a skipped task is not followed.',
  ),
  'directive.unknown': no('There is no task of this name in the same list.'),
  'reference.unknown': no('There is nothing of this name under `use`.'),
  task: no('This is no task of the language that is run here.'),
} as const satisfies Readonly<Record<string, Support>>;

export type SupportKey = keyof typeof SUPPORTED;

/** The kinds of task, by the key that makes them one. In this order, as `for` also has a `do`. */
export const TASK_KINDS = [
  'call',
  'for',
  'fork',
  'try',
  'do',
  'set',
  'switch',
  'raise',
  'wait',
  'emit',
  'listen',
  'run',
] as const;
export type TaskKind = (typeof TASK_KINDS)[number];

/** Why a place of the language is refused; undefined when it is run. */
export function refusalOf(key: SupportKey): string | undefined {
  const support: Support = SUPPORTED[key];
  return support.runs ? undefined : support.reason;
}
