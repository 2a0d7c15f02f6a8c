import { SetupError } from './log.mjs';

/** Throws on other platforms, because the embedded ClickHouse engine exists for this platform only. */
export function checkPlatform({ platform = process.platform, arch = process.arch, glibc = glibcVersion() } = {}) {
  if (platform !== 'linux' || arch !== 'x64') {
    throw new SetupError(
      `Linux on x64 is needed, this is ${platform} on ${arch}.\n` +
        '  The embedded ClickHouse engine is built for Linux x64 only: use such a machine, a virtual machine or WSL 2.',
    );
  }
  if (!glibc) {
    throw new SetupError(
      'a Linux with glibc is needed, this one has another C library (musl?).\n' +
        '  Debian, Ubuntu, Fedora, Red Hat and SUSE have glibc; Alpine has not.',
    );
  }
}

function glibcVersion() {
  if (process.platform !== 'linux') return undefined;
  const report = process.report;
  report.excludeNetwork = true; // Without this, the report resolves host names, which can take seconds.
  return report.getReport().header.glibcVersionRuntime;
}
