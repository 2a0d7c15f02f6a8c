import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Folders whose files take longest: many processes, or a browser. */
const LONG = ['/test/invariants/', '/test/e2e/', '/test/dashboards/console/', '/test/api/clients/', '/test/examples/'];

/**
 * Begins with what takes longest, so that the run does not end with one worker at it while the others have nothing to do any
 * more. Vitest itself knows how long files took only after a first run, and goes by their size until then.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((folder) => moduleId.includes(folder));
      return index === -1 ? LONG.length : index;
    };
    // Files that share a worker come last, together.
    const apart = sorted.filter(({ project }) => project.config.isolate).sort((a, b) => rank(a) - rank(b));
    return [...apart, ...sorted.filter(({ project }) => !project.config.isolate)];
  }
}
