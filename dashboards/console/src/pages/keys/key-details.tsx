import { List } from '@mantine/core';
import { DetailsDialog } from '../../parts/details-dialog.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import type { ApiKey } from './api-key.ts';
import { stateOfKey } from './key-state.ts';
import { KeyStateBadge } from './key-state-badge.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.details;

/** Details of a key, with a button to revoke it. Closed while `apiKey` is undefined. */
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
    </DetailsDialog>
  );
}
