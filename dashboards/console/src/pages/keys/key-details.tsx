import { List } from '@mantine/core';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import type { ApiKey } from './api-key.ts';
import { stateOfKey } from './key-state.ts';
import { KeyStateBadge } from './key-state-badge.tsx';

/** One key: all that is known of it, and the way to revoke it. Closed while `apiKey` is undefined. */
export function KeyDetails({
  apiKey,
  onClose,
  onRevoke,
}: {
  readonly apiKey: ApiKey | undefined;
  readonly onClose: () => void;
  readonly onRevoke: (keyId: string) => Promise<void>;
}) {
  if (apiKey === undefined) return null;
  return (
    <DetailsDialog
      title={`Key ${apiKey.label}`}
      onClose={onClose}
      action={
        stateOfKey(apiKey) === 'revoked'
          ? undefined
          : {
              text: 'Revoke',
              color: 'red',
              question: `Revoke the key ${apiKey.label}?`,
              confirm: 'Revoke it',
              consequence:
                'Whatever uses it is refused from now on, everywhere within a second. There is no way back: make another key.',
              run: () => onRevoke(apiKey.keyId),
            }
      }
    >
      <Facts
        facts={[
          ['State', <KeyStateBadge key="state" of={apiKey} />],
          [
            'Begins with',
            <span key="id" className="tl-mono">
              {apiKey.keyId}
            </span>,
          ],
          ['Made', <TimeText key="made" at={apiKey.createdAt} />],
          ['Last used', apiKey.lastUsedAt === null ? 'never' : <TimeText key="used" at={apiKey.lastUsedAt} />],
          ['Ends', apiKey.expiresAt === null ? 'never' : <TimeText key="ends" at={apiKey.expiresAt} />],
          [
            'May',
            <List key="may" size="sm">
              {apiKey.scopes.map((scope) => (
                <List.Item key={scope}>{scope}</List.Item>
              ))}
            </List>,
          ],
        ]}
      />
    </DetailsDialog>
  );
}
