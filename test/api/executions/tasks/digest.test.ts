import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { digestAuthorization, digestChallengeOf } from '#api/executions/tasks/http/digest.ts';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** The example of RFC 7616, section 3.9.1. */
const HEADER = [
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256,',
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS",',
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5,',
  'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
].join(' ');
const REQUEST = { method: 'GET', uri: '/dir/index.html', username: 'Mufasa', password: 'Circle of Life' };
const CNONCE = 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';

function answered(header: string, request = REQUEST): string {
  const challenge = digestChallengeOf(header);
  if (challenge === undefined) throw new Error('no challenge');
  return digestAuthorization(challenge, request, CNONCE);
}

describe('digest authentication', () => {
  test('answers the strongest challenge, as in RFC 7616', () => {
    const answer = answered(HEADER);
    expect(answer).toContain('response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"');
    expect(answer).toMatch(
      /^Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf.*algorithm=SHA-256, qop=auth, nc=00000001, cnonce=/,
    );
  });

  test('answers MD5, as in RFC 7616', () => {
    const [, md5Challenge = ''] = HEADER.split(/, (?=Digest)/);
    expect(answered(md5Challenge)).toContain('response="8ca523f5e9506fed4657c9700eebdbec"');
  });

  test('answers a server without `qop` as RFC 2069 has it', () => {
    const response = md5(`${md5('Mufasa:r:Circle of Life')}:n:${md5('GET:/dir/index.html')}`);
    expect(answered('Digest realm="r", nonce="n"')).toBe(
      `Digest username="Mufasa", realm="r", nonce="n", uri="/dir/index.html", response="${response}", algorithm=MD5`,
    );
  });

  test('uses the session key of a -sess algorithm', () => {
    const ha1 = md5(`${md5('Mufasa:r:Circle of Life')}:n:${CNONCE}`);
    const response = md5(`${ha1}:n:00000001:${CNONCE}:auth:${md5('GET:/dir/index.html')}`);
    expect(answered('Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess')).toContain(`response="${response}"`);
  });

  test.each([
    ['of another scheme', 'Basic realm="r", nonce="n"'],
    ['of an unknown algorithm', 'Digest realm="r", nonce="n", algorithm=MD4'],
    ['that protects the body', 'Digest realm="r", nonce="n", qop="auth-int"'],
    ['without a nonce', 'Digest realm="r"'],
  ])('does not answer the challenge %s', (_name, header) => {
    expect(digestChallengeOf(header)).toBeUndefined();
  });

  test('finds a challenge among other schemes', () => {
    const header =
      'Negotiate, Basic realm="b", Digest realm="a \\"quoted\\" realm", nonce="n", Bearer scope="x", error="y"';
    expect(digestChallengeOf(header)).toEqual({
      realm: 'a "quoted" realm',
      nonce: 'n',
      opaque: undefined,
      algorithm: 'MD5',
      qop: undefined,
    });
  });
});
