import { EXECUTION_STATUSES, type ExecutionStatus, TERMINAL_STATUSES } from '#schemas/api/execution-status.ts';
import type { ApprovalPolicy } from '../approvals/policy.ts';
import type { JsonValue } from '../json-value.ts';

/**
 * What the three parts of the engine agree on. The interpreter decides and does nothing; the store keeps executions, steps, timers, waits and
 * signals in PostgreSQL; the worker claims an execution, lets the interpreter say what follows, does it, and writes the result with the change of
 * state in one transaction.
 */

export { EXECUTION_STATUSES, type ExecutionStatus, TERMINAL_STATUSES };

/**
 * Where a task stands in a run: the JSON pointer of the task in the definition, with the turns of the loops around it, such as
 * `/do/1/each/for[3]/do/0/enrich`. The same step of the same run has the same path in every process.
 */
export type StepPath = string;

/** An error in the shape of RFC 9457, as the workflow language has it. */
export interface WorkflowError {
  /** Such as `https://serverlessworkflow.io/spec/1.0.0/errors/communication`. */
  readonly type: string;
  readonly status: number;
  readonly title?: string;
  readonly detail?: string;
  /** The step it came from. */
  readonly instance?: StepPath;
  /** No `retry` repeats what failed; `catch` still takes the error. */
  readonly retryable?: false;
}

/** What does not change during a run; expressions see it as `$workflow` and `$runtime`. */
export interface RunContext {
  readonly executionId: string;
  /** Null: the operator. Expressions do not see it. */
  readonly ownerId: string | null;
  readonly workflow: { readonly id: string; readonly name: string; readonly version: string };
  readonly input: JsonValue;
  readonly startedAt: string;
  /** Outputs given for steps by name: those steps are not executed. */
  readonly overrides: Readonly<Record<string, JsonValue>>;
  /** Names of secrets the definition may use; their values are put in by the worker, where a task is done. */
  readonly secretNames: readonly string[];
  /** The account that the run belongs to; its checks of schemas take turns with those of other accounts. */
  readonly owner?: string | undefined;
}

/** Opaque to everyone but the interpreter; JSON. Kept in the execution's row. */
export type InterpreterState = JsonValue;

/** Something that happened. What no longer matters, such as the timer of a step that has ended, changes nothing. */
export type EngineEvent =
  | {
      readonly type: 'task-completed';
      readonly step: StepPath;
      readonly attempt: number;
      readonly output: JsonValue;
      readonly at: string;
    }
  | {
      readonly type: 'task-failed';
      readonly step: StepPath;
      readonly attempt: number;
      readonly error: WorkflowError;
      /** No `try` catches it. */
      readonly fatal?: boolean;
      readonly at: string;
    }
  | { readonly type: 'timer-fired'; readonly timer: string; readonly at: string }
  | {
      readonly type: 'event-received';
      readonly wait: string;
      readonly events: readonly CloudEvent[];
      readonly at: string;
    }
  /** Answers a `continue` command. */
  | { readonly type: 'continue'; readonly at: string }
  /** The worker that held the run is gone: every running `run-task` is requested again, with the same attempt and key. */
  | { readonly type: 'recover'; readonly at: string };

/** CloudEvents 1.0, JSON format. */
export interface CloudEvent {
  readonly specversion: '1.0';
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject?: string;
  readonly time?: string;
  readonly datacontenttype?: string;
  readonly data?: JsonValue;
  readonly [extension: string]: JsonValue | undefined;
}

/** What is to be done next. */
export type Command =
  /** Something outside: an http call, a script, a sub-workflow. `idempotencyKey` is the same for every attempt after a crash. */
  | {
      readonly type: 'run-task';
      readonly step: StepPath;
      readonly name: string;
      readonly attempt: number;
      readonly task: ExternalTask;
      readonly idempotencyKey: string;
    }
  | { readonly type: 'cancel-task'; readonly step: StepPath }
  | { readonly type: 'start-timer'; readonly timer: string; readonly at: string }
  | { readonly type: 'cancel-timer'; readonly timer: string }
  /** Waits for events; a wait holds neither worker nor connection. */
  | {
      readonly type: 'listen';
      readonly wait: string;
      readonly step: StepPath;
      readonly filters: readonly EventFilter[];
      readonly mode: 'all' | 'any' | 'one';
      /** Who decides; then only the event of a decision continues the wait. */
      readonly approval?: ApprovalPolicy | undefined;
    }
  | { readonly type: 'stop-listening'; readonly wait: string }
  /** The id is made of execution, step and attempt: an event that is sent twice after a crash is the same event. */
  | { readonly type: 'emit'; readonly event: CloudEvent; readonly step: StepPath }
  /** So much is to be done that the state is to be kept first: write this advance, then call again with a `continue` event. */
  | { readonly type: 'continue' }
  | { readonly type: 'complete'; readonly output: JsonValue }
  | { readonly type: 'fail'; readonly error: WorkflowError };

/**
 * Stands for a secret until the worker sends a request. It cannot be forged: data from outside that carries the key `$secret` is refused by the
 * interpreter, and only names that the definition declares become one. Secrets go to http calls only: a script or sub-workflow could give them on.
 */
export interface SecretReference {
  readonly $secret: string;
}

/** A text, or the name of a secret whose value the worker puts in. */
export type SecretText = string | SecretReference;

/** A token that stands for a party, in a token exchange (RFC 8693). */
export interface OAuth2Token {
  readonly token: SecretText;
  readonly type: string;
}

/** How a client of OAuth 2.0 authenticates at the token endpoint. */
export const CLIENT_AUTHENTICATIONS = [
  'client_secret_post',
  'client_secret_basic',
  'client_secret_jwt',
  'private_key_jwt',
  'none',
] as const;
export type ClientAuthentication = (typeof CLIENT_AUTHENTICATIONS)[number];

/** Grants of OAuth 2.0 that need no person. */
export const GRANTS = [
  'client_credentials',
  'password',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;
export type OAuth2Grant = (typeof GRANTS)[number];

/** A policy of OAuth 2.0 or OpenID Connect. Optional members were added later: stored executions continue without them. */
export interface OAuth2Policy {
  readonly scheme: 'oauth2';
  /** Address of the token endpoint, or of the discovery document when `discover` is set. */
  readonly tokenUrl: string;
  readonly discover?: true;
  /** Default: `client_credentials`. */
  readonly grant?: OAuth2Grant;
  readonly clientId?: SecretText;
  readonly clientSecret?: SecretText;
  /** A signed JWT, for `private_key_jwt`. */
  readonly clientAssertion?: SecretText;
  readonly clientAuthentication: ClientAuthentication;
  /** The token request is JSON instead of a form. */
  readonly json?: true;
  readonly scopes: readonly string[];
  readonly audiences: readonly string[];
  /** Issuers whose tokens are accepted; not set: any. */
  readonly issuers?: readonly string[];
  readonly username?: SecretText;
  readonly password?: SecretText;
  readonly subject?: OAuth2Token;
  readonly actor?: OAuth2Token;
}

/**
 * How a call authenticates. `secret` names a secret: JSON `{username, password}` for basic and digest, the token itself for bearer, the
 * properties of the policy as JSON for `oauth2` and `oidc`.
 */
export type HttpAuthentication =
  | { readonly scheme: 'basic' | 'digest'; readonly username: SecretText; readonly password: SecretText }
  | { readonly scheme: 'basic' | 'digest'; readonly secret: string }
  | { readonly scheme: 'bearer'; readonly token: SecretText }
  | { readonly scheme: 'bearer'; readonly secret: string }
  | OAuth2Policy
  | { readonly scheme: 'oauth2-secret'; readonly secret: string; readonly oidc: boolean };

/** What of a process is the output of its task. */
export type ProcessReturn = 'stdout' | 'stderr' | 'code' | 'all' | 'none';

/** What a script or a process is given, and whether a step waits for it. */
export interface ProcessInput {
  /** A list of arguments, as a program receives it. */
  readonly argv?: readonly string[];
  /** What it reads from its standard input. */
  readonly stdin?: string;
  /** It goes on by itself, and the step gives its input. */
  readonly detached?: boolean;
}

/** When the image of a container is pulled. */
export const PULL_POLICIES = ['ifNotPresent', 'always', 'never'] as const;
export type ContainerPullPolicy = (typeof PULL_POLICIES)[number];

/** What the operator may allow definitions to do, which is off by default. */
export interface EngineFeatures {
  /** `run: shell`. */
  readonly shell: boolean;
  /** `run: container`. */
  readonly containers: boolean;
  /** False: `volumes` and `ports` of containers. */
  readonly containerVolumes?: boolean;
  readonly containerPorts?: boolean;
  /** False: `resource` of a schema is refused, because no release fetches it. */
  readonly schemaResources?: boolean;
}

/** A document elsewhere: an API description, a function, a schema. */
export interface ResourceReference {
  readonly endpoint: string;
  readonly authentication?: HttpAuthentication;
}

/** Arguments are evaluated; secrets are still names (`{"$secret": "name"}`): whole values of headers, query and authentication, and anywhere in a body. */
export type ExternalTask =
  | {
      readonly kind: 'http';
      readonly method: string;
      readonly endpoint: string;
      readonly headers: Readonly<Record<string, SecretText>>;
      readonly query: Readonly<Record<string, SecretText>>;
      readonly authentication?: HttpAuthentication;
      readonly body: JsonValue | undefined;
      readonly output: 'content' | 'response' | 'raw';
      /** Whether statuses 300 to 399 are no errors. */
      readonly redirect: boolean;
    }
  | {
      readonly kind: 'openapi';
      readonly document: ResourceReference;
      readonly operationId: string;
      readonly parameters: Readonly<Record<string, JsonValue>>;
      readonly authentication?: HttpAuthentication;
      readonly output: 'content' | 'response' | 'raw';
      readonly redirect: boolean;
    }
  | {
      readonly kind: 'asyncapi';
      readonly document: ResourceReference;
      /** A channel of version 2, or an operation of version 3. */
      readonly channel?: string;
      readonly operation?: string;
      readonly server?: { readonly name: string; readonly variables: Readonly<Record<string, JsonValue>> };
      readonly protocol?: string;
      readonly authentication?: HttpAuthentication;
      readonly message?: { readonly payload: JsonValue; readonly headers: Readonly<Record<string, SecretText>> };
      readonly subscription?: MessageSubscription;
    }
  | {
      readonly kind: 'grpc';
      readonly proto: ResourceReference;
      readonly service: string;
      readonly host: string;
      /** Undefined: that of TLS. */
      readonly port?: number;
      readonly authentication?: HttpAuthentication;
      readonly method: string;
      readonly arguments: Readonly<Record<string, JsonValue>>;
    }
  | {
      readonly kind: 'mcp';
      /** One of the two: an address of HTTP, or a program that speaks over its standard input and output. */
      readonly server?: ResourceReference;
      readonly program?: {
        readonly command: string;
        readonly arguments: readonly string[];
        readonly environment: Readonly<Record<string, SecretText>>;
      };
      readonly headers: Readonly<Record<string, SecretText>>;
      readonly method: string;
      readonly parameters: JsonValue;
      /** Undefined: the newest that both sides know. */
      readonly protocolVersion?: string;
      /** Of the call, with the session that is opened for it. */
      readonly timeoutMs?: number;
      readonly client: { readonly name: string; readonly version: string };
    }
  | {
      readonly kind: 'a2a';
      /** At least one of the two is given; `server` overrides the address of the card. */
      readonly server?: ResourceReference;
      readonly agentCard?: ResourceReference;
      readonly method: string;
      readonly parameters: JsonValue;
    }
  /** Gives a function of a catalog, a task of the language. */
  | { readonly kind: 'catalog'; readonly document: ResourceReference }
  | ({
      readonly kind: 'script';
      readonly language: string;
      /** Empty when the code is to be fetched. */
      readonly code: string;
      readonly source?: ResourceReference;
      readonly arguments: Readonly<Record<string, JsonValue>>;
      readonly environment: Readonly<Record<string, string>>;
      /** Default: `stdout`. */
      readonly return?: ProcessReturn;
    } & ProcessInput)
  | ({
      /** A script in Python: a process, not a script of the sandbox. */
      readonly kind: 'python';
      readonly code: string;
      readonly source?: ResourceReference;
      readonly arguments: Readonly<Record<string, JsonValue>>;
      readonly environment: Readonly<Record<string, string>>;
      readonly return: ProcessReturn;
    } & ProcessInput)
  | ({
      readonly kind: 'shell';
      readonly command: string;
      /** Words that follow the command. */
      readonly arguments: readonly string[];
      readonly environment: Readonly<Record<string, SecretText>>;
      readonly return: ProcessReturn;
    } & ProcessInput)
  | {
      readonly kind: 'container';
      readonly image: string;
      readonly name: string;
      /** Undefined: that of the image. */
      readonly command?: string;
      readonly arguments?: readonly string[];
      readonly environment: Readonly<Record<string, SecretText>>;
      /** What it reads from its standard input. */
      readonly stdin?: string;
      /** Default: `ifNotPresent`. */
      readonly pullPolicy?: ContainerPullPolicy;
      /** Folder of the engine's machine, or name of a volume, to path in the container. */
      readonly volumes?: Readonly<Record<string, string>>;
      /** Port of the engine's machine to port of the container. */
      readonly ports?: Readonly<Record<string, string>>;
      /** The container stays when it has ended. */
      readonly keep: boolean;
      /** It is removed so long after its end. Undefined: at its end, unless `keep`. */
      readonly removeAfterMs?: number;
      readonly return: ProcessReturn;
      /** As in `ProcessInput`. */
      readonly detached?: boolean;
    }
  | {
      readonly kind: 'workflow';
      readonly slug: string;
      readonly version: string;
      readonly input: JsonValue;
      readonly await: boolean;
    }
  /** Done by an external worker that leases tasks of the queue; see `worker-tasks/`. */
  | {
      readonly kind: 'worker';
      readonly queue: string;
      readonly type: string;
      readonly input: JsonValue;
      /** When the time-out of the step ends it. */
      readonly deadline?: string;
    };

/** Types of events that begin so are of the service itself: neither callers nor workflows send them. In lower case. */
export const OWN_TYPES = 'trapline.';

/**
 * Attributes an event must have, and what ties it to this run. A router may use some attributes only (type, source) and hand over
 * too much: the interpreter checks every event against the whole filter (`event-match.ts`) and goes on waiting when none fits. A wait therefore
 * stays until `stop-listening`.
 */
export interface EventFilter {
  /** Attribute by exact value, or by regular expression where the definition gives one; `data` may be an expression that must be true of it. */
  readonly with: Readonly<Record<string, JsonValue>>;
  /** Name → value that the event's own expression must yield. */
  readonly correlate: Readonly<Record<string, { readonly from: string; readonly expect?: JsonValue }>>;
}

export type StepStatus = 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled' | 'skipped';

/** A change of a step, for the trace. */
export interface StepRecord {
  readonly step: StepPath;
  readonly name: string;
  /** The kind of task: set, call, for … */
  readonly kind: string;
  readonly status: StepStatus;
  readonly attempt: number;
  readonly at: string;
  readonly input?: JsonValue;
  readonly output?: JsonValue;
  readonly error?: WorkflowError;
}

/** What follows from an event: the new state, what to do, what to record. */
export interface Advance {
  readonly state: InterpreterState;
  readonly commands: readonly Command[];
  readonly steps: readonly StepRecord[];
  /** Nothing is to be done before a timer fires or an event comes, or ever again. */
  readonly idle: boolean;
  /** Events that were not handled, because those before them used up the budget of steps: pass them again with the next call. */
  readonly left?: readonly EngineEvent[];
}

/** Evaluates a jq expression within limits of time and size; rejects with an expression error. Pure: the same arguments give the same value. */
export type Evaluate = (
  expression: string,
  input: JsonValue,
  variables: Readonly<Record<string, JsonValue>>,
) => Promise<JsonValue>;

/** The same for an account, such as a lane: nothing that one account's expressions leave behind in an evaluator is used for another account. */
export type EvaluateFor = (...given: [...Parameters<Evaluate>, account?: string | undefined]) => Promise<JsonValue>;

/** Which messages a subscription takes, and when it ends: with the first of its ends. Expressions are asked of each message. */
export interface MessageSubscription {
  /** Other messages are ignored, and do not count. */
  readonly filter?: string;
  /** At least one of these ends is given. */
  readonly amount?: number;
  readonly forMs?: number;
  /** The message for which it does not hold is the last one. */
  readonly while?: string;
  /** The message for which it holds ends the subscription, and is not taken. */
  readonly until?: string;
  /** Values of the variables that the expressions name, from the beginning of the task. */
  readonly variables?: Readonly<Record<string, JsonValue>>;
}

/** Pure but for what `evaluate` costs: it knows no clock, no store and no network. */
export interface Interpreter {
  start(definition: WorkflowDefinition, run: RunContext, at: string, limits?: AdvanceLimits): Promise<Advance>;
  advance(
    definition: WorkflowDefinition,
    run: RunContext,
    state: InterpreterState,
    /** One, or several in their order: handled one after another, and cheaper than by a call each. */
    events: EngineEvent | readonly EngineEvent[],
    limits?: AdvanceLimits,
  ): Promise<Advance>;
}

/** How far one call advances a run. */
export interface AdvanceLimits {
  /** How many steps may begin. With 0, events still end steps: so a run stops without losing their outcomes. */
  readonly steps: number;
}

/** A workflow of the Serverless Workflow DSL 1.0, parsed, validated, and checked to use only what is run here. */
export type WorkflowDefinition = Readonly<Record<string, JsonValue>>;
