import { createRequire } from 'node:module';
import { SamlRefusal } from './saml-refusal.ts';
import { checkShape } from './xml-shape.ts';

/** The part of an XML node that is used here. The parser's type package declares browser types for the whole program. */
interface XmlNode {
  readonly nodeType: number;
  readonly parentNode: XmlNode | null;
  readonly firstChild: XmlNode | null;
  readonly nextSibling: XmlNode | null;
  readonly textContent: string | null;
}

export interface XmlElement extends XmlNode {
  readonly localName: string;
  readonly namespaceURI: string | null;
  getAttribute(name: string): string | null;
  getAttributeNS(namespace: string, name: string): string | null;
}

interface Parser {
  parseFromString(xml: string, type: 'text/xml'): { readonly documentElement: XmlElement | null } | undefined;
}

type Handler = () => never;
const require = createRequire(import.meta.url);
const { DOMParser } = require('@xmldom/xmldom') as {
  readonly DOMParser: new (options: {
    readonly errorHandler: { readonly warning: Handler; readonly error: Handler; readonly fatalError: Handler };
  }) => Parser;
};

export const NS = {
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const;

/**
 * Parses a document with the parser of the signature verification, so that both see the same tree. Rejects document
 * types and entities (XXE), comments (they split text nodes), CDATA sections, processing instructions, documents beyond
 * the limits of `checkShape`, and everything that the parser warns of.
 */
export function parseXml(xml: string): XmlElement {
  if (/<!|<\?(?!xml\s)|(?!^)<\?xml\s/.test(xml))
    throw new SamlRefusal('saml-declaration', 'the document has declarations, comments or instructions');
  checkShape(xml);
  const refuse = (): never => {
    throw new SamlRefusal('saml-malformed', 'the document is not well-formed XML');
  };
  let root: XmlElement | null;
  try {
    const parser = new DOMParser({ errorHandler: { warning: refuse, error: refuse, fatalError: refuse } });
    root = parser.parseFromString(xml, 'text/xml')?.documentElement ?? null;
  } catch {
    root = null;
  }
  return root ?? refuse();
}

/** Yields all elements of a tree, the root first. */
export function* elementsOf(root: XmlElement): Generator<XmlElement> {
  yield root;
  for (const child of childrenOf(root)) yield* elementsOf(child);
}

export function childrenOf(element: XmlElement): XmlElement[] {
  const children: XmlElement[] = [];
  for (let node = element.firstChild; node !== null; node = node.nextSibling)
    if (node.nodeType === 1) children.push(node as XmlElement);
  return children;
}

/** Returns the children with this name. */
export function childrenNamed(element: XmlElement | undefined, namespace: string, name: string): XmlElement[] {
  return element === undefined ? [] : childrenOf(element).filter((child) => isNamed(child, namespace, name));
}

export function isNamed(element: XmlElement, namespace: string, name: string): boolean {
  return element.namespaceURI === namespace && element.localName === name;
}

/** Returns an attribute. Undefined if it is missing or empty. */
export function attributeOf(element: XmlElement | undefined, name: string): string | undefined {
  return element?.getAttribute(name) || undefined;
}

/** Returns the text of an element. Undefined if it has other content. */
export function textOf(element: XmlElement | undefined): string | undefined {
  if (element === undefined || childrenOf(element).length > 0) return undefined;
  return element.textContent?.trim() || undefined;
}
