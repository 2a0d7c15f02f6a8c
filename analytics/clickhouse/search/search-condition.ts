import { nearestName } from '#schemas/nearest-name.ts';
import type { RecordKind } from '../../formats/record.ts';
import { parseSearch } from '../../search/parse-search.ts';
import { SearchError } from '../../search/search-error.ts';
import type { SearchNode } from '../../search/syntax-tree.ts';
import type { Condition } from '../read-models/filters.ts';
import { compareField } from './compare-field.ts';
import { textContains, textHasWords } from './match-text.ts';
import type { Place } from './place.ts';
import { RECORD_FIELDS } from './record-fields.ts';

/**
 * Returns the condition of a search. Search values are only passed as query parameters. Fields and operators come from
 * fixed lists. Throws `SearchError`.
 */
export function searchCondition(kind: RecordKind, text: string): Condition {
  const params: Record<string, unknown> = {};
  const place: Place = (value, type) => {
    const name = `q_${Object.keys(params).length}`;
    params[name] = value;
    return `{${name}:${type}}`;
  };
  const sql = sqlOf(parseSearch(text));
  return { sql, params };

  function sqlOf(node: SearchNode): string {
    switch (node.kind) {
      case 'and':
      case 'or':
        return `(${node.parts.map(sqlOf).join(node.kind === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        // A record without the field does not match the inner condition, so it matches the negation.
        return `NOT ifNull(${sqlOf(node.part)}, false)`;
      case 'text': {
        const { text, byWords } = RECORD_FIELDS[kind];
        const find = byWords ? textHasWords : textContains;
        return `(${text.map((column) => find(column, node.value, place)).join(' OR ')})`;
      }
      case 'field': {
        const { fields } = RECORD_FIELDS[kind];
        const field = Object.hasOwn(fields, node.field) ? fields[node.field] : undefined;
        if (field === undefined)
          throw new SearchError(`unknown field “${node.field}”`, node.at, adviceFor(node.field, Object.keys(fields)));
        return compareField(field, node.operator, node.value, place);
      }
    }
  }
}

function adviceFor(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const suggestion =
    nearest === undefined ? `use one of ${known.join(', ')}, or` : `did you mean ${nearest}? Otherwise`;
  return `${suggestion} put the text in quotes`;
}
