import { Button, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { NewSecret } from '../../parts/new-secret.tsx';
import { SIGN_IN_TEXT } from './text.ts';

const TEXT = SIGN_IN_TEXT.register;

export function RegisteredNotice({ apiKey, signedIn }: { readonly apiKey: string; readonly signedIn: boolean }) {
  return (
    <>
      <Text size="sm">{signedIn ? TEXT.signedIn : TEXT.notSignedIn}</Text>
      <NewSecret secret={apiKey} />
      <Button component={Link} to={signedIn ? '/first-steps' : '/sign-in'} fullWidth>
        {signedIn ? TEXT.continue : TEXT.continueToSignIn}
      </Button>
    </>
  );
}
