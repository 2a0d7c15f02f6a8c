/** Policy that the reference of the language names, but that the published schema lacks. */
const CERTIFICATE = {
  title: 'CertificateAuthenticationPolicy',
  description: 'Use a client certificate.',
  properties: {
    certificate: {
      type: 'object',
      title: 'CertificateAuthenticationPolicySecret',
      description: 'The secret with the certificate and its private key.',
      unevaluatedProperties: false,
      allOf: [{ $ref: '#/$defs/secretBasedAuthenticationPolicy' }],
    },
  },
  required: ['certificate'],
};

interface AuthenticationSchema {
  readonly $defs: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** Returns the schema of the language with client certificates as an authentication policy. */
export function withCertificates<T extends AuthenticationSchema>(schema: T): T {
  const policy = schema.$defs.authenticationPolicy;
  const alternatives = policy?.oneOf;
  if (!Array.isArray(alternatives))
    throw new Error('the schema of the DSL has no alternatives of authenticationPolicy');
  return {
    ...schema,
    $defs: { ...schema.$defs, authenticationPolicy: { ...policy, oneOf: [...alternatives, CERTIFICATE] } },
  };
}
