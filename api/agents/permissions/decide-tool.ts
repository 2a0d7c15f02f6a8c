import type { ApprovalPolicy } from '#api/executions/approvals/policy.ts';
import { isObject } from '#api/executions/engine/interpreter/json.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { APPROVAL_SECONDS, type PermissionConfig, type ToolDecision, type ToolRule } from './permission-config.ts';
import { matchesPattern } from './text-pattern.ts';

/** The permissions of a run, with defaults applied. */
export interface Permissions {
  readonly default: ToolDecision;
  readonly rules: readonly ToolRule[];
  readonly policy: ApprovalPolicy;
  readonly expiresAfterSeconds: number;
}

interface Configured {
  readonly tools?: readonly string[] | undefined;
  readonly permissions?: PermissionConfig | undefined;
}

/**
 * Returns the permissions of a configuration. Configurations of earlier versions have no permissions: these allow the
 * tools that they name, or all tools.
 */
export function permissionsOf({ tools, permissions }: Configured): Permissions {
  const { approval = {}, ...given } = permissions ?? fromTools(tools);
  return {
    default: given.default ?? 'deny',
    rules: given.rules ?? [],
    policy: { approvers: approval.approvers ?? [], except: approval.except ?? [], count: approval.count ?? 1 },
    expiresAfterSeconds: approval.expiresAfterSeconds ?? APPROVAL_SECONDS.preset,
  };
}

function fromTools(tools: readonly string[] | undefined): PermissionConfig {
  if (tools === undefined) return { default: 'allow' };
  return { default: 'deny', rules: tools.map((tool) => ({ tool, decision: 'allow' })) };
}

const BY_STRENGTH = ['deny', 'ask', 'allow'] as const satisfies readonly ToolDecision[];

/** Returns the strictest of several decisions; undefined for an empty list. */
export function strictest(decisions: readonly ToolDecision[]): ToolDecision | undefined {
  return BY_STRENGTH.find((one) => decisions.includes(one));
}

/** Decides about a call of a tool. Its arguments must be validated and complete. */
export function decideTool(permissions: Permissions, tool: string, given: JsonValue): ToolDecision {
  const matching = permissions.rules.filter((rule) => matchesPattern(rule.tool, tool) && argumentsMatch(rule, given));
  return strictest(matching.map(({ decision }) => decision)) ?? permissions.default;
}

/** Returns false if every call of the tool would be refused. Such tools are not offered to a model. */
export function mayOffer({ rules, default: preset }: Permissions, tool: string): boolean {
  const matching = rules.filter((rule) => matchesPattern(rule.tool, tool));
  const unconditional = matching.filter((rule) => Object.keys(rule.arguments ?? {}).length === 0);
  if (unconditional.some(({ decision }) => decision === 'deny')) return false;
  if (unconditional.length === 0 && preset !== 'deny') return true;
  return matching.some(({ decision }) => decision !== 'deny');
}

/** Returns true if a run can wait for a decision. */
export function canAsk({ rules, default: preset }: Permissions): boolean {
  return preset === 'ask' || rules.some(({ decision }) => decision === 'ask');
}

function argumentsMatch(rule: ToolRule, given: JsonValue): boolean {
  return Object.entries(rule.arguments ?? {}).every(([name, pattern]) => {
    const value = isObject(given) && Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined) return false;
    // A pattern matches no list or object. So these never satisfy a rule that allows, and always satisfy a rule that
    // restricts.
    if (typeof value === 'object') return rule.decision !== 'allow';
    const address = typeof value === 'string' ? addressOf(value) : undefined;
    if (address === undefined) return matchesPattern(pattern, String(value));
    return rule.decision === 'allow' ? matchesAddress(pattern, address) : matchesPattern(pattern, address);
  });
}

/**
 * Normalises an HTTP address as it would be requested: host in lower case without a trailing dot, and path without dot
 * segments.
 */
function addressOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return undefined;
  url.hostname = url.hostname.replace(/\.$/, '');
  return url.href;
}

/** Scheme, host with port, and the rest. */
const ADDRESS = /^(.*?):\/\/([^/]*)(.*)$/s;

/**
 * Like `matchesPattern`, but matches the host separately from the path. Otherwise `https://*.example.org/*` could match
 * any host.
 */
function matchesAddress(pattern: string, address: string): boolean {
  const [, scheme = '', host = '', rest = ''] = ADDRESS.exec(address) ?? [];
  const [whole, ofScheme = '', ofHost = '', ofRest = ''] = ADDRESS.exec(pattern) ?? [];
  if (whole === undefined) return matchesPattern(pattern, address);
  const restPattern = ofRest === '' && ofHost.endsWith('*') ? '*' : ofRest;
  return matchesPattern(ofScheme, scheme) && matchesPattern(ofHost, host) && matchesPattern(restPattern, rest);
}
