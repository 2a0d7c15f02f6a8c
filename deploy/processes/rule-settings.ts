import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type DetectionSettings, detectionSettingsSchema } from '#analytics/detections/settings.ts';

/** The file of thresholds and exceptions is invalid. The message lists every problem. */
export class RulesFileError extends Error {
  override readonly name = 'RulesFileError';
}

/** Loads thresholds, windows and exceptions from the operator's JSON file; the defaults without a file. */
export async function loadRuleSettings(file: string | undefined): Promise<DetectionSettings> {
  if (file === undefined) return detectionSettingsSchema.parse({});
  let content: unknown;
  try {
    content = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new RulesFileError(`TRAPLINE_RULES_FILE ${file}: ${(error as Error).message}`);
  }
  const parsed = detectionSettingsSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  throw new RulesFileError(`TRAPLINE_RULES_FILE ${file}:\n${z.prettifyError(parsed.error)}`);
}

/** Returns the current settings: the same object until they change. */
export interface RuleSource {
  readonly current: () => DetectionSettings;
}
