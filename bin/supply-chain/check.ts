import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consolePackages } from './console-packages.ts';
import { type Findings, merge } from './findings.ts';
import { judgeInstallation } from './install-rules.ts';
import { judgeLicences } from './licences.ts';
import { readLockFile } from './lock-file.ts';
import { readAdvisories, readPolicy } from './policy.ts';
import { judgePythonClient } from './python-client.ts';
import { auditByRegistry } from './registry-audit.ts';
import { judgeAge, judgeVulnerabilities, vulnerabilitiesOf } from './vulnerabilities.ts';

/** Checks vulnerabilities, licences, install scripts and hashes of all dependencies of this checkout. */
export async function checkSupplyChain(root: string, now: Date): Promise<Findings> {
  const policy = readPolicy();
  const stored = readAdvisories();
  const packages = readLockFile(root, consolePackages(root));
  const { allowScripts = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    allowScripts?: Record<string, boolean>;
  };
  const online = await auditByRegistry(root, packages);
  const reported = 'vulnerabilities' in online ? online.vulnerabilities : [];
  const vulnerabilities = [...reported, ...vulnerabilitiesOf(packages, stored.advisories)];
  return merge(
    judgeVulnerabilities(vulnerabilities, policy.advisories, now),
    'unavailable' in online
      ? storedOnly(online.unavailable, stored.updated)
      : { failures: [], warnings: [], notes: [] },
    judgeAge(stored, now),
    judgeLicences(root, packages, policy),
    judgeInstallation(packages, allowScripts),
    judgePythonClient(root, stored, policy),
  );
}

function storedOnly(reason: string, updated: string): Findings {
  const note = `the registry's audit is not available (${reason}): checked against the stored list of ${updated}`;
  return { failures: [], warnings: [], notes: [note] };
}
