import { Checkbox, Stack, Text } from '@mantine/core';
import type { Scope } from '#schemas/api/scopes.ts';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.form;

/** Group of each scope. The type check requires all scopes. */
const GROUP_OF = {
  'events:write': 'detection',
  'detections:read': 'detection',
  'detections:write': 'detection',
  'detections:propose': 'detection',
  'cases:read': 'cases',
  'cases:write': 'cases',
  'workflows:read': 'workflows',
  'workflows:run': 'workflows',
  'workflows:write': 'workflows',
  'tasks:work': 'workflows',
  'agents:read': 'agents',
  'agents:run': 'agents',
  'agents:write': 'agents',
  scrapers: 'other',
  scim: 'other',
  admin: 'other',
} as const satisfies Record<Scope, string>;
type ScopeGroup = (typeof GROUP_OF)[Scope];
const GROUPS = [...new Set(Object.values(GROUP_OF))] as readonly ScopeGroup[];

/** Checkboxes for the allowed scopes, grouped by subject. */
export function ScopeChoice({
  allowed,
  value,
  onChange,
}: {
  readonly allowed: readonly Scope[];
  readonly value: string[];
  readonly onChange: (scopes: string[]) => void;
}) {
  const groups = GROUPS.map((group) => ({
    group,
    scopes: (Object.keys(GROUP_OF) as Scope[]).filter((scope) => GROUP_OF[scope] === group && allowed.includes(scope)),
  })).filter(({ scopes }) => scopes.length > 0);
  return (
    <Checkbox.Group label={TEXT.scopes} description={TEXT.scopesHint} value={value} onChange={onChange}>
      <div className="tl-columns">
        {groups.map(({ group, scopes }) => (
          <Stack key={group} gap={6} className="tl-unbroken">
            <Text size="xs" fw={600} c="dimmed">
              {TEXT.scopeGroups[group]}
            </Text>
            {scopes.map((scope) => (
              <Checkbox key={scope} size="xs" value={scope} label={scope} description={KEYS_TEXT.permits[scope]} />
            ))}
          </Stack>
        ))}
      </div>
    </Checkbox.Group>
  );
}
