/** A step of a scenario and the text block below it. */
export interface Step {
  readonly text: string;
  readonly block: string | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly steps: readonly Step[];
}

const FENCE = '"""';
const KEYWORD = /^(?:Given|When|Then|And) (.*)$/;

/**
 * Parses the part of Gherkin that the conformance kit uses: scenarios, steps and text blocks. Throws on anything else.
 */
export function readFeature(text: string): readonly Scenario[] {
  const scenarios: { name: string; steps: { text: string; block: string | undefined }[] }[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? '';
    const current = scenarios.at(-1);
    if (line.startsWith('Scenario: ')) scenarios.push({ name: line.slice('Scenario: '.length), steps: [] });
    else if (line === '' || line.startsWith('#') || current === undefined) continue;
    else if (line.startsWith(FENCE)) {
      const indent = (lines[at] ?? '').search(/\S/);
      const end = lines.findIndex((other, index) => index > at && other.trim() === FENCE);
      const step = current.steps.at(-1);
      if (end < 0 || step === undefined) throw new Error(`line ${at + 1}: a block without an end or a step`);
      step.block = lines
        .slice(at + 1, end)
        .map((each) => each.slice(indent))
        .join('\n');
      at = end;
    } else {
      const step = KEYWORD.exec(line)?.[1];
      if (step === undefined) throw new Error(`line ${at + 1} is no step: ${line}`);
      current.steps.push({ text: step.replace(/^given /, ''), block: undefined });
    }
  }
  return scenarios;
}
