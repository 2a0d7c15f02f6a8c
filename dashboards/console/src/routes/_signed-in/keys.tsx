import { Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { call } from '../../api/client.ts';
import { APP_TEXT } from '../../app/text.ts';
import { useProfile } from '../../app/use-profile.ts';
import { KeyList } from '../../pages/keys/key-list.tsx';
import { NewKeyDialog } from '../../pages/keys/new-key.tsx';
import { KEYS_TEXT } from '../../pages/keys/text.ts';
import { Usage } from '../../pages/keys/usage.tsx';
import { CreateButton } from '../../parts/create-button.tsx';
import { Page } from '../../parts/page.tsx';
import { useShortcuts } from '../../parts/shortcuts.ts';

export const Route = createFileRoute('/_signed-in/keys')({
  staticData: { section: { group: 'Account', order: 2, label: APP_TEXT.sections.keys, role: 'user', keys: 'g k' } },
  component: KeysPage,
});

const QUERY_KEY = ['keys'];

function KeysPage() {
  const { role } = useProfile();
  const queries = useQueryClient();
  const [making, { open, close }] = useDisclosure();
  useShortcuts([{ keys: 'n', does: KEYS_TEXT.create, run: open }]);
  return (
    <Page title={KEYS_TEXT.title} actions={<CreateButton onClick={open}>{KEYS_TEXT.create}</CreateButton>}>
      <Stack gap="lg">
        <KeyList
          own
          label={KEYS_TEXT.list}
          queryKey={QUERY_KEY}
          load={(signal) => call('get', '/api/user/api-keys', { signal })}
          revoke={(keyId) => call('delete', '/api/user/api-keys/{keyId}', { path: { keyId } })}
          empty={KEYS_TEXT.empty}
        />
        <Usage />
      </Stack>
      <NewKeyDialog
        opened={making}
        role={role}
        onClose={close}
        make={async (body) => {
          const made = await call('post', '/api/user/api-keys', { body });
          await queries.invalidateQueries({ queryKey: QUERY_KEY });
          return made;
        }}
      />
    </Page>
  );
}
