/** 'production', 'tests' (with fakes, browser tests and measurements), 'demo', or null for what is no code of ours. */
export function kindOf(path) {
  if (!/\.(tsx?|mjs|cjs|js|css|html)$/.test(path)) return null;
  if (path.startsWith('server/demo/')) return 'demo';
  if (/^(e2e|bench)\/|\/testing\/|\.test\.\w+$/.test(path)) return 'tests';
  return /^(client|server|shared)\//.test(path) ? 'production' : null;
}

/** Of the lines of `git grep --count`: `path:lines`, after `revision:` if one was given. */
export function countByKind(counts) {
  const totals = {};
  for (const count of counts) {
    const [lines, path] = count.split(':').reverse();
    const kind = kindOf(path);
    if (kind === null) continue;
    totals[kind] ??= { files: 0, lines: 0 };
    totals[kind].files += 1;
    totals[kind].lines += Number(lines);
  }
  return totals;
}
