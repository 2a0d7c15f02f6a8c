import { SamlRefusal } from './saml-refusal.ts';

/**
 * Limits of a document. Identity providers nest about ten elements. An element with three attributes for each value of
 * an attribute leaves room for about 2,900 groups.
 */
const MAX_DEPTH = 32;
const MAX_ELEMENTS = 3_000;
const MAX_ATTRIBUTES = 10_000;
const MAX_ATTRIBUTES_OF_ELEMENT = 64;
/** A tag. `<` is not allowed in values of attributes, so a scan of one tag ends before the next one. */
const TAG = /<(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;

/**
 * Rejects documents that cost the parser seconds: it looks up namespaces in time proportional to the depth, and senders
 * are not authenticated yet. Reads the text once.
 * @throws SamlRefusal
 */
export function checkShape(xml: string): void {
  let depth = 0;
  let elements = 0;
  let attributes = 0;
  for (let at = xml.indexOf('<'); at !== -1; at = xml.indexOf('<', TAG.lastIndex)) {
    TAG.lastIndex = at;
    const [tag] = TAG.exec(xml) ?? [];
    if (tag === undefined) throw new SamlRefusal('saml-malformed', 'the document is not well-formed XML');
    if (tag.startsWith('<?')) continue;
    if (tag.startsWith('</')) {
      depth -= 1;
      continue;
    }
    elements += 1;
    const own = tag.match(/=\s*["']/g)?.length ?? 0;
    attributes += own;
    if (depth >= MAX_DEPTH || elements > MAX_ELEMENTS || own > MAX_ATTRIBUTES_OF_ELEMENT || attributes > MAX_ATTRIBUTES)
      throw new SamlRefusal('saml-malformed', 'the document has too many elements or attributes, or too deep ones');
    if (!tag.endsWith('/>')) depth += 1;
  }
}
