import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { loadRuleSettings, RulesFileError } from '../processes/rule-settings.ts';
import { usageError } from './command-error.ts';
import type { CommandContext } from './context.ts';

/** Returns the configured thresholds and exceptions. An invalid rules file is a configuration error. */
export async function operatorRules(context: CommandContext): Promise<DetectionSettings> {
  const { rulesFile } = await context.config();
  try {
    return await loadRuleSettings(rulesFile);
  } catch (error) {
    throw error instanceof RulesFileError ? usageError(error.message) : error;
  }
}
