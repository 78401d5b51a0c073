/**
 * A section of docs/test-runs.md.
 * @param {{ commit: string, date: string, busy: number, isStrict: boolean }} about `busy`: loops that ran beside the tests
 * @param {{ passed: number, failed: number, skipped: number, seconds: number, failedOrFlaky: { title: string }[] }[]} runs
 */
export function renderTestRuns({ commit, date, busy, isStrict }, runs) {
  const counts = new Map();
  for (const { failedOrFlaky } of runs)
    for (const { title } of failedOrFlaky) counts.set(title, (counts.get(title) ?? 0) + 1);
  const rows = [...counts].sort(([, a], [, b]) => b - a);
  return [
    `## ${commit}, ${date}`,
    '',
    `${runs.length} ${runs.length === 1 ? 'run' : 'runs'}${isStrict ? ' with `--strict`' : ''}, ${busy ? `${busy} busy loops beside them` : 'nothing beside them'}: ${runs.map(describeRun).join('; ')}.`,
    '',
    ...(rows.length === 0
      ? ['Every test passed at the first attempt.']
      : [
          '| not passed at the first attempt | runs |',
          '| --- | --- |',
          ...rows.map(([title, count]) => `| ${escapeCell(title)} | ${count} of ${runs.length} |`),
        ]),
    '',
  ].join('\n');
}

function describeRun({ passed, failed, skipped, seconds }) {
  const counts = `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`;
  return `${counts} in ${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const escapeCell = (text) => text.replaceAll('|', '\\|');
