import { allCases } from '../cases/all-cases.ts';
import { STANDARD_ROWS, type Environment } from '../environment/start-environment.ts';
import { markdownTable } from '../markdown-table.ts';
import { formatRate, measureServers, type Comparison } from './measure-case.ts';
import { toMeasuredServer } from './measured-server.ts';

/** The largest accepted cost of a request, in multiples of its cost with the standard number of memories. */
const MAX_COSTS: Record<string, number> = {
  'List of 100': 1.2,
  'Search, term in half the rows': 1.3,
  'Search, term in one row': 1.3,
};

type RowsResult = Comparison & { name: string };

/** Compares the app with more memories in its database to the app with the standard number. The user has as many in both. */
export async function measureRows(
  standard: Environment,
  large: Environment,
  options: { rounds: number; seconds: number; report: (line: string) => void },
): Promise<RowsResult[]> {
  const results: RowsResult[] = [];
  for (const benchCase of allCases.filter(({ name }) => name in MAX_COSTS)) {
    options.report(`Measuring: ${benchCase.name}`);
    const servers = {
      app: toMeasuredServer('app', benchCase, large),
      baseline: toMeasuredServer('app', benchCase, standard),
    };
    results.push({ name: benchCase.name, ...(await measureServers(servers, 200, options)) });
  }
  return results;
}

/** In Markdown. */
export function rowsTable(rows: number, results: RowsResult[]): string {
  const [many, few] = [rows, STANDARD_ROWS].map((count) => count.toLocaleString('en'));
  return markdownTable(
    ['memories in the database', `${many}, req/s`, `${few}, req/s`, 'cost', 'target'],
    results.map(({ name, app, baseline, ratio }) => {
      const cost = 1 / ratio.median;
      const maxCost = MAX_COSTS[name] ?? NaN;
      return [
        name,
        formatRate(app),
        formatRate(baseline),
        `**${cost.toFixed(2)}** (${(1 / ratio.max).toFixed(2)} – ${(1 / ratio.min).toFixed(2)})`,
        `${maxCost}: ${cost <= maxCost ? 'yes' : '**no**'}`,
      ];
    }),
  );
}
