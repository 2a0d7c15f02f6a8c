import { Alert, Text } from '@mantine/core';
import { SIGN_IN_TEXT } from './text.ts';

/** The password was correct, but the browser did not store the session cookie. */
export function NoCookieNotice() {
  return (
    <Alert variant="outline" color="red" title={SIGN_IN_TEXT.noCookie.title} role="alert" mb="sm">
      <Text size="sm">
        {SIGN_IN_TEXT.noCookie.hint}
        {location.protocol === 'http:' && ` ${SIGN_IN_TEXT.noCookie.https}`}
      </Text>
    </Alert>
  );
}
