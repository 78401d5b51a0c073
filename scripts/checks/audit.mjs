import { root } from '../lib/root.mjs';
import { run } from '../lib/run.mjs';

const TIMEOUT_MS = 120_000;

/**
 * Asks the registry for advisories about the packages that are installed in a folder. Some registries do not answer.
 * @returns {Promise<{ isAnswered: boolean, isPassed: boolean, text: string }>}
 */
export async function auditPackages(env, folder = root) {
  const options = ['--json', '--audit-level=moderate', '--fetch-retries=0', '--loglevel=silent'];
  const { code, output } = await run('npm', ['audit', ...options], {
    cwd: folder,
    env,
    timeoutMs: TIMEOUT_MS,
    capture: true,
  });
  const report = parseReport(output);
  if (!report?.auditReportVersion) {
    const reason = report?.message ?? report?.error?.summary ?? '';
    return { isAnswered: false, isPassed: false, text: reason || 'no answer' };
  }
  const lines = Object.values(report.vulnerabilities).map(describeVulnerability);
  return { isAnswered: true, isPassed: code === 0, text: lines.join('\n') || 'no advisories' };
}

function parseReport(output) {
  try {
    return JSON.parse(output.slice(output.indexOf('{')));
  } catch {
    return null;
  }
}

/** `via` has an advisory, or the name of a package below. */
function describeVulnerability({ name, severity, via }) {
  const reasons = via.map((each) => (typeof each === 'string' ? `by ${each}` : `${each.title} ${each.url}`));
  return `${name} (${severity}): ${reasons.join('; ')}`;
}
