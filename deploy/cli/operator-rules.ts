import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { loadRuleSettings, RulesFileError } from '../processes/rule-settings.ts';
import { usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

/** Thresholds and exceptions as configured. A file of them that cannot be used is wrong configuration. */
export async function operatorRules(context: CommandContext): Promise<DetectionSettings> {
  const { rulesFile } = await context.config();
  try {
    return await loadRuleSettings(rulesFile);
  } catch (error) {
    throw error instanceof RulesFileError ? usageError(error.message) : error;
  }
}
