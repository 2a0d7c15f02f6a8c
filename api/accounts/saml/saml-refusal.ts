/** Why a SAML response is rejected. Recorded in the audit log. */
export type SamlRefusalReason =
  | 'saml-malformed'
  | 'saml-declaration'
  | 'saml-structure'
  | 'saml-algorithm'
  | 'saml-signature'
  | 'saml-status'
  | 'saml-issuer'
  | 'saml-destination'
  | 'saml-recipient'
  | 'saml-audience'
  | 'saml-time'
  | 'saml-unsolicited'
  | 'saml-request'
  | 'saml-subject'
  | 'saml-replayed';

/** A response that signs in no person. The message is for logs and contains no input. */
export class SamlRefusal extends Error {
  override readonly name = 'SamlRefusal';
  readonly reason: SamlRefusalReason;

  constructor(reason: SamlRefusalReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
