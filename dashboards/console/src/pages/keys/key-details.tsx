import { Group, List } from '@mantine/core';
import { numberText } from '../../language/numbers.ts';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TimeText } from '../../parts/time/time-text.tsx';
import type { ApiKey } from './api-key.ts';
import { KeyRestrictions } from './key-restrictions.tsx';
import { stateOfKey } from './key-state.ts';
import { KeyStateBadge } from './key-state-badge.tsx';
import { KeyUsage } from './key-usage.tsx';
import { RotateKey } from './rotate-key.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.details;

/** Details of a key, with a button to revoke it. Closed while `apiKey` is undefined. */
export function KeyDetails({
  apiKey,
  onClose,
  onRevoke,
  changes,
}: {
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
  readonly onRevoke: (keyId: string) => Promise<void>;
  /**
   * Refetches the keys after a change. Undefined if the key belongs to another user, because only its owner can change
   * it.
   */
  readonly changes?: (() => Promise<unknown>) | undefined;
}) {
  if (apiKey === undefined) return null;
  const { requestsPerMinute: minute, requestsPerDay: day } = apiKey;
  const only = [...apiKey.workflows, ...apiKey.agents];
  const limits = [
    ...(minute === null ? [] : [TEXT.perMinute(numberText(minute))]),
    ...(day === null ? [] : [TEXT.perDay(numberText(day))]),
  ];
  return (
    <DetailsDialog
      title={TEXT.title(apiKey.label)}
      onClose={onClose}
      action={
        stateOfKey(apiKey) === 'revoked'
          ? undefined
          : {
              text: KEYS_TEXT.revocation.action,
              destructive: true,
              question: KEYS_TEXT.revocation.question(apiKey.label),
              confirm: KEYS_TEXT.revocation.confirm,
              consequence: KEYS_TEXT.revocation.consequence,
              run: () => onRevoke(apiKey.keyId),
            }
      }
    >
      <Facts
        facts={[
          [TEXT.state, <KeyStateBadge key="state" of={apiKey} />],
          [
            TEXT.prefix,
            <span key="id" className="tl-mono">
              {apiKey.keyId}
            </span>,
          ],
          [TEXT.created, <TimeText key="made" at={apiKey.createdAt} />],
          [
            TEXT.lastUsed,
            apiKey.lastUsedAt === null ? KEYS_TEXT.never : <TimeText key="used" at={apiKey.lastUsedAt} />,
          ],
          [TEXT.expires, apiKey.expiresAt === null ? KEYS_TEXT.never : <TimeText key="ends" at={apiKey.expiresAt} />],
          ...(apiKey.leakedAt === null ? [] : [[TEXT.leaked, <TimeText key="leaked" at={apiKey.leakedAt} />] as const]),
          ...(apiKey.previousUntil === null || Date.parse(apiKey.previousUntil) <= Date.now()
            ? []
            : [[TEXT.previous, <TimeText key="previous" at={apiKey.previousUntil} />] as const]),
          [TEXT.networks, apiKey.networks.length === 0 ? TEXT.anyNetwork : apiKey.networks.join(', ')],
          ...(only.length === 0 ? [] : [[TEXT.limitedTo, only.join(', ')] as const]),
          ...(limits.length === 0 ? [] : [[TEXT.limits, limits.join(', ')] as const]),
          [
            TEXT.scopes,
            <List key="may" size="sm">
              {apiKey.scopes.map((scope) => (
                <List.Item key={scope}>{scope}</List.Item>
              ))}
            </List>,
          ],
        ]}
      />
      {changes !== undefined && stateOfKey(apiKey) === 'active' && (
        <Group mt="sm">
          <RotateKey apiKey={apiKey} onDone={changes} />
          <KeyRestrictions apiKey={apiKey} onDone={changes} />
        </Group>
      )}
      {changes !== undefined && <KeyUsage keyId={apiKey.keyId} />}
    </DetailsDialog>
  );
}
