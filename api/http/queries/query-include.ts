import { z } from 'zod';

/** Query string schema of comma-separated part names. */
export function includeOf<const Part extends string>(parts: readonly Part[]) {
  return z
    .string()
    .max(200)
    .transform((text, context): ReadonlySet<Part> => {
      const wanted = text.split(',').map((part) => part.trim());
      const known = wanted.filter((part): part is Part => (parts as readonly string[]).includes(part));
      if (known.length < wanted.filter((part) => part !== '').length)
        context.addIssue({ code: 'custom', message: `must be any of ${parts.join(', ')}, joined by commas` });
      return new Set(known);
    })
    .optional()
    .describe(`Parts to add, joined by commas: ${parts.join(', ')}`)
    .meta({ example: parts.join(',') });
}
