import { SamlRefusal } from './saml-refusal.ts';
import { attributeOf, childrenNamed, isNamed, NS, parseXml, textOf, type XmlElement } from './xml.ts';

/** The parsed content of an assertion. */
export interface Assertion {
  readonly id: string | undefined;
  readonly issuer: string | undefined;
  readonly nameId: NameId | undefined;
  readonly confirmations: readonly Confirmation[];
  readonly conditions: Conditions | undefined;
  /** True if the assertion states that the person signed in at the provider. */
  readonly authenticated: boolean;
  readonly sessionNotOnOrAfter: string | undefined;
  /** The provider's name of the session. */
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
  /** Audience restrictions. Each must name this service. */
  readonly audiences: readonly (readonly string[])[];
}

/** Expected issuer and audience of an assertion. */
export interface Expected {
  readonly issuer: string;
  readonly audience: string;
  readonly recipient: string;
}

/** Facts that an assertion proves. */
export interface Proven {
  readonly id: string;
  /** Undefined for a response without a request. */
  readonly inResponseTo: string | undefined;
  /** Until this time the assertion must be rejected if it is used again. */
  readonly expiresAt: Date;
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer';
const CLOCK_SKEW_MS = 120_000;
/** Ids are stored in an index. Providers use about 40 characters. */
export const MAX_ID_CHARACTERS = 512;

/** Parses an assertion whose signature was verified. `xml` is exactly the signed content. */
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
 * Checks the rules of the web browser profile (SAML profiles, 4.1.4.3): issuer, audience, recipient, times, and one
 * matching bearer confirmation. Times may differ by two minutes.
 * @throws SamlRefusal
 */
export function checkAssertion(assertion: Assertion, expected: Expected, nowMs: number): Proven {
  const { id, conditions } = assertion;
  if (id === undefined || id.length > MAX_ID_CHARACTERS)
    throw new SamlRefusal('saml-structure', 'the assertion has no id, or a longer one than 512 characters');
  if (assertion.issuer !== expected.issuer)
    throw new SamlRefusal('saml-issuer', 'the assertion is of another identity provider');
  if (conditions === undefined || conditions.audiences.length === 0)
    throw new SamlRefusal('saml-audience', 'the assertion is restricted to no audience');
  if (!conditions.audiences.every((restriction) => restriction.includes(expected.audience)))
    throw new SamlRefusal('saml-audience', 'the assertion is for another service');
  if (!assertion.authenticated)
    throw new SamlRefusal('saml-structure', 'the assertion has no authentication statement');
  const bearers = assertion.confirmations.filter(({ method }) => method === BEARER);
  const ours = bearers.filter(({ recipient }) => recipient === expected.recipient);
  if (ours.length === 0) throw new SamlRefusal('saml-recipient', 'the assertion is for another address');
  if (!isWithin(conditions, nowMs) || !isWithin({ notOnOrAfter: assertion.sessionNotOnOrAfter }, nowMs))
    throw new SamlRefusal('saml-time', 'the assertion is not valid now');
  const confirmed = ours.find((one) => one.notOnOrAfter !== undefined && isWithin(one, nowMs));
  if (confirmed === undefined) throw new SamlRefusal('saml-time', 'the assertion is not valid now');
  // The latest end of all confirmations, because the assertion could be replayed with any of them.
  const ends = [...ours.map(({ notOnOrAfter }) => notOnOrAfter), conditions.notOnOrAfter]
    .flatMap((end) => (end === undefined ? [] : timeOf(end)))
    .filter((end) => !Number.isNaN(end));
  return { id, inResponseTo: confirmed.inResponseTo, expiresAt: new Date(Math.max(...ends) + CLOCK_SKEW_MS) };
}

function isWithin(
  { notBefore, notOnOrAfter }: { readonly notBefore?: string | undefined; readonly notOnOrAfter?: string | undefined },
  nowMs: number,
): boolean {
  // An invalid time compares as false.
  const began = notBefore === undefined || timeOf(notBefore) <= nowMs + CLOCK_SKEW_MS;
  const goesOn = notOnOrAfter === undefined || timeOf(notOnOrAfter) > nowMs - CLOCK_SKEW_MS;
  return began && goesOn;
}

/** Returns NaN for an invalid SAML time. SAML times are in UTC. */
function timeOf(text: string): number {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) ? Date.parse(text) : Number.NaN;
}
