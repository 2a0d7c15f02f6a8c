import { expect, it } from 'vitest';
import { keyText, newKey, newSecret, OPERATOR_KEY_ID } from '#api/accounts/keys/key-format.ts';
import { createOperatorKeyCheck } from '#api/accounts/keys/operator-key.ts';

const operatorKey = keyText({ keyId: OPERATOR_KEY_ID, secret: newSecret(OPERATOR_KEY_ID) });

it.each([
  ['of this form', operatorKey],
  ['of the first form, without prefix and checksum', `operator.${'a'.repeat(43)}`],
])('accepts only its own key: rejects one %s', (_, key) => {
  const isOperator = createOperatorKeyCheck(key);
  expect(isOperator(key)).toMatchObject({ kind: 'operator', role: 'admin' });
  const id = key.slice(0, key.indexOf('.'));
  for (const other of ['', id, `${id}.`, key.slice(0, -1), `${key}x`, ` ${key}`, keyText(newKey())])
    expect(isOperator(other)).toBeUndefined();
  expect(isOperator(keyText({ keyId: id, secret: newSecret(id) }))).toBeUndefined();
});
