import { Alert } from '@mantine/core';
import { FailureNotice } from '../../parts/failure-notice.tsx';
import { PasskeyCancelled } from './passkey-calls.ts';
import { SECOND_FACTOR_TEXT } from './text.ts';

/** Error of a form about second factors. */
export function FactorFailure({ error }: { readonly error: unknown }) {
  if (!(error instanceof PasskeyCancelled)) return <FailureNotice error={error} />;
  return (
    <Alert color="red" variant="outline" role="alert" my="sm">
      {SECOND_FACTOR_TEXT.passkeys.cancelled}
    </Alert>
  );
}
