import { AuthenticationError, NetworkError, ProtocolError, ResponseError, UserError } from '@platformatic/kafka';
import { expect, test } from 'vitest';
import { KafkaFailure } from '#ingest/kafka/failure.ts';
import { failureOf } from '#ingest/kafka/platformatic/failure-of.ts';

const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const untrusted = Object.assign(new Error('self-signed certificate'), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
const response = (code: number) => new ResponseError(11, 9, { '/': [code, null] }, {});

test.each([
  ['an answer of the broker that passes', response(14), 'COORDINATOR_LOAD_IN_PROGRESS', 'passing'],
  ['an answer that does not', response(30), 'GROUP_AUTHORIZATION_FAILED', 'permanent'],
  ['a member that was replaced', response(82), 'FENCED_INSTANCE_ID', 'permanent'],
  ['a refused connection', new NetworkError('no', { cause: refused }), 'ECONNREFUSED', 'passing'],
  ['a lost connection', new NetworkError('Connection closed'), 'PLT_KFK_NETWORK', 'passing'],
  ['an unknown authority', new NetworkError('no', { cause: untrusted }), 'SELF_SIGNED_CERT_IN_CHAIN', 'permanent'],
  [
    'a wrong password',
    new AuthenticationError('no', { cause: new ProtocolError(58) }),
    'SASL_AUTHENTICATION_FAILED',
    'permanent',
  ],
  ['a fault of a program', new UserError('wrong option'), 'PLT_KFK_USER', 'unknown'],
  ['any other error', new TypeError('no function'), 'TypeError', 'unknown'],
])('%s', (_, error, code, kind) => {
  expect(failureOf('answer', error)).toMatchObject({ code, kind });
});

test('a failure stays what it is', () => {
  const failure = new KafkaFailure('answer', refused);
  expect(failureOf('other', failure)).toBe(failure);
});
