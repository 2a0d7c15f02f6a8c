import { expect, test } from 'vitest';
import { signAwsRequest } from '#api/outputs/sign-aws-request.ts';

/** The example of the Amazon S3 API reference: "Signature calculations: transferring payload in a single chunk", PUT Object. */
test('the signature of the example in the S3 documentation is correct', () => {
  const headers = signAwsRequest(
    {
      method: 'PUT',
      url: 'https://examplebucket.s3.amazonaws.com/test$file.text',
      body: 'Welcome to Amazon S3.',
      headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    },
    {
      accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
      secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
      region: 'us-east-1',
      service: 's3',
    },
    new Date('2013-05-24T00:00:00Z'),
  );
  expect(headers.authorization).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class, Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  );
  expect(headers).not.toHaveProperty('host');
});
