import { SamlRefusal } from './saml-refusal.ts';
import { attributeOf, childrenNamed, isNamed, NS, parseXml, textOf, type XmlElement } from './xml.ts';

/** What an assertion says. */
export interface Assertion {
  readonly id: string | undefined;
  readonly issuer: string | undefined;
  readonly nameId: NameId | undefined;
  readonly confirmations: readonly Confirmation[];
  readonly conditions: Conditions | undefined;
  /** True when it says that the person signed in at the provider. */
  readonly authenticated: boolean;
  readonly sessionNotOnOrAfter: string | undefined;
  /** Names the session at the provider. */
  readonly sessionIndex: string | undefined;
  readonly attributes: ReadonlyMap<string, readonly string[]>;
}

interface NameId {
  readonly value: string;
  readonly format: string | undefined;
  readonly qualifier: string | undefined;
  readonly serviceQualifier: string | undefined;
}

interface Confirmation {
  readonly method: string | undefined;
  readonly recipient: string | undefined;
  readonly notBefore: string | undefined;
  readonly notOnOrAfter: string | undefined;
  readonly inResponseTo: string | undefined;
}

interface Conditions {
  readonly notBefore: string | undefined;
  readonly notOnOrAfter: string | undefined;
  /** Every restriction must name us. */
  readonly audiences: readonly (readonly string[])[];
}

/** Whom an assertion must be from and for. */
export interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly recipient: string;
}

/** What an assertion proves. */
export interface Proven {
  readonly id: string;
  /** Undefined: it answers no request. */
  readonly inResponseTo: string | undefined;
  /** Until then the same assertion would be accepted again. */
  readonly expiresAt: Date;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const CLOCK_SKEW_MS = 120_000;

/** Reads an assertion whose signature was verified; `xml` is what was signed, and nothing else. */
export function readAssertion(xml: string): Assertion {
  const assertion = parseXml(xml);
  if (!isNamed(assertion, NS.assertion, 'Assertion') || assertion.getAttribute('Version') !== '2.0')
    throw new SamlRefusal('saml-structure', 'what is signed is not a SAML 2.0 assertion');
  const children = (element: XmlElement | undefined, name: string) => childrenNamed(element, NS.assertion, name);
  const subjects = children(assertion, 'Subject');
  const conditions = children(assertion, 'Conditions');
  const statements = children(assertion, 'AuthnStatement');
  if (subjects.length !== 1 || conditions.length > 1)
    throw new SamlRefusal('saml-structure', 'the assertion must have one subject and one set of conditions');
  const nameIds = children(subjects[0], 'NameID');
  const nameId = nameIds.length === 1 ? textOf(nameIds[0]) : undefined;
  return {
    id: attributeOf(assertion, 'ID'),
    issuer: textOf(children(assertion, 'Issuer')[0]),
    nameId:
      nameId === undefined
        ? undefined
        : {
            value: nameId,
            format: attributeOf(nameIds[0], 'Format'),
            qualifier: attributeOf(nameIds[0], 'NameQualifier'),
            serviceQualifier: attributeOf(nameIds[0], 'SPNameQualifier'),
          },
    confirmations: children(subjects[0], 'SubjectConfirmation').map((confirmation) => {
      const [data] = children(confirmation, 'SubjectConfirmationData');
      return {
        method: attributeOf(confirmation, 'Method'),
        recipient: attributeOf(data, 'Recipient'),
        notBefore: attributeOf(data, 'NotBefore'),
        notOnOrAfter: attributeOf(data, 'NotOnOrAfter'),
        inResponseTo: attributeOf(data, 'InResponseTo'),
      };
    }),
    conditions: conditions[0] && {
      notBefore: attributeOf(conditions[0], 'NotBefore'),
      notOnOrAfter: attributeOf(conditions[0], 'NotOnOrAfter'),
      audiences: children(conditions[0], 'AudienceRestriction').map((restriction) =>
        children(restriction, 'Audience').flatMap((audience) => textOf(audience) ?? []),
      ),
    },
    authenticated: statements.length > 0,
    sessionNotOnOrAfter: statements.map((statement) => attributeOf(statement, 'SessionNotOnOrAfter')).find(Boolean),
    sessionIndex: statements.map((statement) => attributeOf(statement, 'SessionIndex')).find(Boolean),
    attributes: attributesOf(children(assertion, 'AttributeStatement')),
  };
}

function attributesOf(statements: readonly XmlElement[]): Map<string, readonly string[]> {
  const attributes = new Map<string, readonly string[]>();
  for (const attribute of statements.flatMap((statement) => childrenNamed(statement, NS.assertion, 'Attribute'))) {
    const name = attributeOf(attribute, 'Name');
    const values = childrenNamed(attribute, NS.assertion, 'AttributeValue').flatMap((value) => textOf(value) ?? []);
    if (name !== undefined) attributes.set(name, [...(attributes.get(name) ?? []), ...values]);
  }
  return attributes;
}

/**
 * The rules of the web browser profile (SAML profiles, 4.1.4.3): issuer, audience, recipient, times, and one bearer confirmation that fits. A time
 * may be two minutes off.
 * @throws SamlRefusal
 */
export function checkAssertion(assertion: Assertion, expected: Expected, nowMs: number): Proven {
  const { id, conditions } = assertion;
  if (id === undefined) throw new SamlRefusal('saml-structure', 'the assertion has no id');
  if (assertion.issuer !== expected.issuer)
    throw new SamlRefusal('saml-issuer', 'the assertion is of another identity provider');
  if (conditions === undefined || conditions.audiences.length === 0)
    throw new SamlRefusal('saml-audience', 'the assertion is restricted to no audience');
  if (!conditions.audiences.every((restriction) => restriction.includes(expected.audience)))
    throw new SamlRefusal('saml-audience', 'the assertion is for another service');
  if (!assertion.authenticated)
    throw new SamlRefusal('saml-structure', 'the assertion does not say that the person signed in');
  const bearers = assertion.confirmations.filter(({ method }) => method === BEARER);
  const ours = bearers.filter(({ recipient }) => recipient === expected.recipient);
  if (ours.length === 0) throw new SamlRefusal('saml-recipient', 'the assertion is for another address');
  if (!isWithin(conditions, nowMs) || !isWithin({ notOnOrAfter: assertion.sessionNotOnOrAfter }, nowMs))
    throw new SamlRefusal('saml-time', 'the assertion is not valid now');
  const confirmed = ours.find((one) => one.notOnOrAfter !== undefined && isWithin(one, nowMs));
  if (confirmed === undefined) throw new SamlRefusal('saml-time', 'the assertion is not valid now');
  // Of all confirmations: the assertion could come again by a later one.
  const ends = [...ours.map(({ notOnOrAfter }) => notOnOrAfter), conditions.notOnOrAfter]
    .flatMap((end) => (end === undefined ? [] : timeOf(end)))
    .filter((end) => !Number.isNaN(end));
  return { id, inResponseTo: confirmed.inResponseTo, expiresAt: new Date(Math.max(...ends) + CLOCK_SKEW_MS) };
}

function isWithin(
  { notBefore, notOnOrAfter }: { readonly notBefore?: string | undefined; readonly notOnOrAfter?: string | undefined },
  nowMs: number,
): boolean {
  // A time that cannot be read compares as false.
  const began = notBefore === undefined || timeOf(notBefore) <= nowMs + CLOCK_SKEW_MS;
  const goesOn = notOnOrAfter === undefined || timeOf(notOnOrAfter) > nowMs - CLOCK_SKEW_MS;
  return began && goesOn;
}

/** NaN for what is no time of SAML: those are in UTC. */
function timeOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
}
