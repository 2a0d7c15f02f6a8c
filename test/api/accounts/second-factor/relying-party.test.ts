import { expect, test } from 'vitest';
import { relyingPartyOf } from '#api/accounts/second-factor/relying-party.ts';

test.each([
  ['https://trapline.example.org', { id: 'trapline.example.org', origin: 'https://trapline.example.org' }],
  ['https://trapline.example.org:8443', { id: 'trapline.example.org', origin: 'https://trapline.example.org:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://trapline.example.org', undefined],
  ['https://192.0.2.7', undefined],
  ['https://[2001:db8::7]', undefined],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]', { id: 'localhost', origin: 'http://localhost' }],
  ['https://127.0.0.1', undefined],
])('the relying party of %s is %j', (url, party) => {
  expect(relyingPartyOf(url)).toEqual(party);
});
