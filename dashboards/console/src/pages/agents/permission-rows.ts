import { isRecord } from '../../parts/run-form/json.ts';

export type ToolDecision = 'allow' | 'ask' | 'deny';

export interface PermissionRow {
  readonly tool: string;
  /** Condition on the arguments as text. Empty if none exists. */
  readonly given: string;
  readonly decision: ToolDecision;
}

/**
 * Returns the permissions of a configuration as the server interprets them. Without permissions, the tools that it
 * names are allowed, or all tools.
 */
export function permissionRows(config: { readonly [name: string]: unknown }): {
  readonly preset: ToolDecision;
  readonly rules: readonly PermissionRow[];
} {
  const { permissions, tools } = config;
  if (!isRecord(permissions)) {
    if (!Array.isArray(tools)) return { preset: 'allow', rules: [] };
    return { preset: 'deny', rules: tools.map((tool) => ({ tool: String(tool), given: '', decision: 'allow' })) };
  }
  const rules = Array.isArray(permissions.rules) ? permissions.rules.filter(isRecord) : [];
  return {
    preset: decisionOf(permissions.default),
    rules: rules.map((rule) => ({
      tool: String(rule.tool),
      given: isRecord(rule.arguments)
        ? Object.entries(rule.arguments)
            .map(([name, pattern]) => `${name}: ${String(pattern)}`)
            .join(', ')
        : '',
      decision: decisionOf(rule.decision),
    })),
  };
}

function decisionOf(value: unknown): ToolDecision {
  return value === 'allow' || value === 'ask' ? value : 'deny';
}
