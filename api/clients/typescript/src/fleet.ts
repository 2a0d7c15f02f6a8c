import type { RequestOptions } from './call.ts';
import { type List, listBy } from './cursor-list.ts';
import { type AnswerOf, type BodyOf, type ChangeOptions, createRoutes, type QueryOf, type Schemas } from './routes.ts';
import type { Transport } from './transport.ts';

/** Hosts that sent events, with counts and risk. */
export type Hosts = List<
  AnswerOf<'/api/hosts', 'get'>['data'][number],
  QueryOf<'/api/hosts'>,
  AnswerOf<'/api/hosts', 'get'>
>;

/** Programs by host, with counts and risk. */
export type Processes = List<
  AnswerOf<'/api/processes', 'get'>['data'][number],
  QueryOf<'/api/processes'>,
  AnswerOf<'/api/processes', 'get'>
>;

/** Records that were rejected, with their raw bytes. */
export interface DeadLetters
  extends List<Schemas['DeadLetter'], QueryOf<'/api/dead-letters'>, AnswerOf<'/api/dead-letters', 'get'>> {
  get(id: string, options?: RequestOptions): Promise<Schemas['DeadLetter']>;
  /** Sends rejected records through the pipeline again, selected by ids or by a filter. */
  redrive(
    body: BodyOf<'/api/dead-letters/redrive', 'post'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/dead-letters/redrive', 'post'>>;
}

/** The catalogue of rules. */
export interface Rules {
  /** Lists all rules with severity, ATT&CK techniques, thresholds and runbook. */
  list(options?: RequestOptions): Promise<AnswerOf<'/api/rules', 'get'>>;
  get(id: string, options?: RequestOptions): Promise<Schemas['Rule']>;
  /** Changes thresholds, or enables or disables a rule. For administrators. */
  update(id: string, change: BodyOf<'/api/rules/{id}', 'patch'>, options?: ChangeOptions): Promise<Schemas['Rule']>;
  /** Returns the detections that a rule would create from stored events with other settings. Read-only. */
  backtest(
    id: string,
    settings?: BodyOf<'/api/rules/{id}/backtest', 'post'>,
    options?: RequestOptions,
  ): Promise<Schemas['BacktestRuleResponse']>;
}

/** User rules, as Sigma files. */
export interface UserRules {
  list(options?: RequestOptions): Promise<AnswerOf<'/api/user-rules', 'get'>>;
  get(
    id: string,
    params?: QueryOf<'/api/user-rules/{id}'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/user-rules/{id}', 'get'>>;
  /** Adds the rules of a file, or new versions of them. */
  push(source: string, options?: RequestOptions): Promise<AnswerOf<'/api/user-rules', 'post'>>;
  /** Enables or disables a rule. */
  update(
    id: string,
    change: BodyOf<'/api/user-rules/{id}', 'patch'>,
    options?: RequestOptions,
  ): Promise<AnswerOf<'/api/user-rules/{id}', 'patch'>>;
  /** Returns the detections that the rule of a file would create from stored events. Read-only. */
  backtest(
    rule: BodyOf<'/api/user-rules/backtest', 'post'>,
    options?: RequestOptions,
  ): Promise<Schemas['BacktestUserRuleResponse']>;
}

export function createHosts(transport: Transport): Hosts {
  const routes = createRoutes(transport);
  return listBy((query, options) => routes.json('get', '/api/hosts', { query, ...options }));
}

export function createProcesses(transport: Transport): Processes {
  const routes = createRoutes(transport);
  return listBy((query, options) => routes.json('get', '/api/processes', { query, ...options }));
}

export function createDeadLetters(transport: Transport): DeadLetters {
  const routes = createRoutes(transport);
  return {
    ...listBy((query, options) => routes.json('get', '/api/dead-letters', { query, ...options })),
    get: (id, options) => routes.json('get', '/api/dead-letters/{id}', { path: [id], ...options }),
    redrive: (json, options) => routes.json('post', '/api/dead-letters/redrive', { json, ...options }),
  };
}

export function createRules(transport: Transport): Rules {
  const routes = createRoutes(transport);
  return {
    list: (options) => routes.json('get', '/api/rules', options),
    get: (id, options) => routes.json('get', '/api/rules/{id}', { path: [id], ...options }),
    update: (id, json, options) => routes.json('patch', '/api/rules/{id}', { path: [id], json, ...options }),
    backtest: (id, json = {}, options = {}) =>
      routes.json('post', '/api/rules/{id}/backtest', { path: [id], json, ...options }),
  };
}

export function createUserRules(transport: Transport): UserRules {
  const routes = createRoutes(transport);
  const one = '/api/user-rules/{id}';
  return {
    list: (options) => routes.json('get', '/api/user-rules', options),
    get: (id, query, options) => routes.json('get', one, { path: [id], query, ...options }),
    push: (source, options) => routes.json('post', '/api/user-rules', { json: { source }, ...options }),
    update: (id, json, options) => routes.json('patch', one, { path: [id], json, ...options }),
    backtest: (json, options) => routes.json('post', '/api/user-rules/backtest', { json, ...options }),
  };
}
