import type { ApprovalPolicy } from '#api/executions/approvals/policy.ts';
import { isObject } from '#api/executions/engine/interpreter/json.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { APPROVAL_SECONDS, type PermissionConfig, type ToolDecision, type ToolRule } from './permission-config.ts';
import { matchesPattern } from './text-pattern.ts';

/** The permissions of a run, with all that is not configured filled in. */
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

/** The permissions of a configuration. One without permissions was stored by an earlier version: it allows the tools that it names, or all. */
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

/** The strictest of several decisions; undefined for none. */
export function strictest(decisions: readonly ToolDecision[]): ToolDecision | undefined {
  return BY_STRENGTH.find((one) => decisions.includes(one));
}

/** What happens with a call of a tool with these arguments, which are checked and complete. */
export function decideTool(permissions: Permissions, tool: string, given: JsonValue): ToolDecision {
  const matching = permissions.rules.filter((rule) => matchesPattern(rule.tool, tool) && argumentsMatch(rule, given));
  return strictest(matching.map(({ decision }) => decision)) ?? permissions.default;
}

/** Whether any call of the tool can be something else than refused. Only such tools are offered to a model. */
export function mayOffer({ rules, default: preset }: Permissions, tool: string): boolean {
  const matching = rules.filter((rule) => matchesPattern(rule.tool, tool));
  const unconditional = matching.filter((rule) => Object.keys(rule.arguments ?? {}).length === 0);
  if (unconditional.some(({ decision }) => decision === 'deny')) return false;
  if (unconditional.length === 0 && preset !== 'deny') return true;
  return matching.some(({ decision }) => decision !== 'deny');
}

/** Whether a run can come to wait for a decision. */
export function canAsk({ rules, default: preset }: Permissions): boolean {
  return preset === 'ask' || rules.some(({ decision }) => decision === 'ask');
}

function argumentsMatch(rule: ToolRule, given: JsonValue): boolean {
  return Object.entries(rule.arguments ?? {}).every(([name, pattern]) => {
    const text = isObject(given) ? textOf(given, name) : undefined;
    return text !== undefined && matchesPattern(pattern, text);
  });
}

/** An argument as patterns see it: addresses as they are requested, with the host in lower case and without detours in the path. */
function textOf(given: { readonly [name: string]: JsonValue }, name: string): string | undefined {
  const value = Object.hasOwn(given, name) ? given[name] : undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  return /^\s*https?:/i.test(value) && URL.canParse(value) ? new URL(value).href : value;
}
