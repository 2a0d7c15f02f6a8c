import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { TestRunner } from 'vitest';

let setups = 0;

/**
 * Lets Node load the test files and the product, as in production. Vite would transform each module in the main process
 * and send it to each worker, and Node cannot cache the compiled form of that code.
 */
export default class NativeRunner extends TestRunner {
  override importFile(file: string, source: 'collect' | 'setup'): Promise<unknown> {
    const url = pathToFileURL(file);
    // A setup file is executed again for each test file. The query makes it a new module.
    if (source === 'setup') url.search = `?${setups++}`;
    return import(url.href);
  }

  override onAfterRunFiles(): void {
    super.onAfterRunFiles([]);
    // Vitest ends workers by a signal, at which Node does not write what it compiled.
    flushCompileCache();
  }
}
