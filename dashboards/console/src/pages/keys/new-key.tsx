import { Box, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import type { Role } from '#schemas/api/role-order.ts';
import { scopesOfRole } from '#schemas/api/scopes.ts';
import type { Body } from '../../api/client.ts';
import { defined } from '../../parts/defined.ts';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { FormButtons } from '../../parts/form-buttons.tsx';
import { NewSecret } from '../../parts/new-secret.tsx';
import { SecretDialog, ShownOnce } from '../../parts/secret-dialog.tsx';
import { MomentInput } from '../../parts/time/moment-input.tsx';
import { timeOfInput } from '../../parts/time/time-input.ts';
import { RestrictionFields, readRestrictions } from './restriction-fields.tsx';
import { ScopeChoice } from './scope-choice.tsx';
import { KEYS_TEXT } from './text.ts';

const TEXT = KEYS_TEXT.form;

type NewKey = Body<'post', '/api/user/api-keys'>;

/** Creates a key and shows it once. `role`: role of its owner, which limits the scopes. */
export function NewKeyDialog({
  opened,
  role,
  make,
  onClose,
}: {
  readonly opened: boolean;
  readonly role: Role;
  readonly make: (key: NewKey) => Promise<{ readonly apiKey: string }>;
  readonly onClose: () => void;
}) {
  return (
    <SecretDialog opened={opened} title={TEXT.title} onClose={onClose}>
      <NewKeyForm role={role} make={make} onClose={onClose} />
    </SecretDialog>
  );
}

function NewKeyForm({
  role,
  make,
  onClose,
}: {
  readonly role: Role;
  readonly make: (key: NewKey) => Promise<{ readonly apiKey: string }>;
  readonly onClose: () => void;
}) {
  const allowed = scopesOfRole(role);
  const [scopes, setScopes] = useState<string[]>([]);
  const making = useMutation({ mutationFn: make });

  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const ends = String(form.get('ends'));
    const { requestsPerMinute, requestsPerDay, ...restrictions } = readRestrictions(form);
    making.mutate({
      label: String(form.get('label')).trim(),
      scopes: allowed.filter((scope) => scopes.includes(scope)),
      ...defined({
        expiresAt: timeOfInput(ends),
        ...restrictions,
        requestsPerMinute: requestsPerMinute ?? undefined,
        requestsPerDay: requestsPerDay ?? undefined,
      }),
    });
  }

  if (making.isSuccess)
    return (
      <ShownOnce done={TEXT.saved} onClose={onClose}>
        <NewSecret secret={making.data.apiKey} />
      </ShownOnce>
    );
  return (
    <form onSubmit={onSubmit}>
      <Stack gap="sm">
        {making.isError && <FailureNotice error={making.error} />}
        <TextInput
          name="label"
          label={TEXT.name}
          description={TEXT.nameHint}
          placeholder={TEXT.namePlaceholder}
          maxLength={64}
          required
          data-autofocus
        />
        <ScopeChoice allowed={allowed} value={scopes} onChange={setScopes} />
        <MomentInput name="ends" label={TEXT.expires} description={TEXT.expiresHint} />
        <details>
          <Text component="summary" size="sm">
            {TEXT.restrictions}
          </Text>
          <Box mt="xs">
            <RestrictionFields />
          </Box>
        </details>
        <FormButtons
          submit={TEXT.submit}
          loading={making.isPending}
          disabled={scopes.length === 0}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
