import { catalogue } from '#analytics/detections/catalogue.ts';
import { navigatorLayer } from '#analytics/detections/user-rules/navigator-layer.ts';
import { sigmaOf } from '#analytics/detections/user-rules/sigma-export.ts';
import type { CommandContext } from '../context.ts';
import { operatorRules } from '../operator-rules.ts';
import { pushedSources } from './push-rules.ts';
import { readRuleFiles } from './rule-files.ts';

export const EXPORT_FORMATS = ['sigma', 'navigator', 'yaml'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/**
 * Prints the built-in rules, and those of the given files, in a format of other tools. With `yaml`, prints the rules of
 * users on the server.
 */
export async function exportRules(
  format: ExportFormat,
  paths: readonly string[],
  context: CommandContext,
): Promise<void> {
  if (format === 'yaml') return context.write((await pushedSources(context)).join('---\n'));
  const builtIn = catalogue(await operatorRules(context));
  const own = await readRuleFiles(paths, context);
  if (format === 'navigator') {
    const layered = [...builtIn, ...own.map(({ rule }) => ({ id: rule.id, name: rule.title, attack: rule.attack }))];
    return context.write(`${JSON.stringify(navigatorLayer(layered), null, 2)}\n`);
  }
  return context.write([...builtIn.map(sigmaOf), ...own.map(({ source }) => `${source.trimEnd()}\n`)].join('---\n'));
}
