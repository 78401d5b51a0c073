import type { BenchCase } from '../cases/bench-case.ts';
import type { Environment } from '../environment/start-environment.ts';
import { compareResponses } from './compare-responses.ts';
import { toMeasuredServer, type MeasuredServer, type Side } from './measured-server.ts';
import { sendRequests, type Turn } from './send-requests.ts';
import { formatRatio, markdownTable, toRatio, type Ratio } from '../markdown-table.ts';
import { median, quantile } from './statistics.ts';

const WARM_UP_SECONDS = 2;

export type Measured = { rate: number; p50: number; p99: number };

/** The ratio is that of requests per second, app to baseline. */
export type Comparison = { app: Measured; baseline: Measured; ratio: Ratio };
export type CaseResult = Comparison & { benchCase: BenchCase };

type MeasureOptions = { rounds: number; seconds: number };

/** Compares the responses of both servers, then measures them. */
export async function measureCase(
  benchCase: BenchCase,
  environment: Environment,
  options: MeasureOptions,
): Promise<CaseResult> {
  const servers = {
    app: toMeasuredServer('app', benchCase, environment),
    baseline: toMeasuredServer('baseline', benchCase, environment),
  };
  await compareResponses(benchCase, servers.app, servers.baseline);
  return { benchCase, ...(await measureServers(servers, benchCase.status ?? 200, options)) };
}

/** Warms both up, then sends load in turns; every other round the baseline starts. */
export async function measureServers(
  servers: Record<Side, MeasuredServer>,
  status: number,
  { rounds, seconds }: MeasureOptions,
): Promise<Comparison> {
  const turn = (side: Side, length: number) => sendRequests(servers[side], status, length);
  for (const side of ['app', 'baseline'] as const) await turn(side, WARM_UP_SECONDS);

  const turns: Record<Side, Turn[]> = { app: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['app', 'baseline'] as const) : (['baseline', 'app'] as const);
    for (const side of order) turns[side].push(await turn(side, seconds));
  }
  const ratios = turns.app.map(({ rate }, round) => rate / (turns.baseline[round]?.rate ?? NaN));
  return {
    app: summarize(turns.app),
    baseline: summarize(turns.baseline),
    ratio: toRatio(ratios),
  };
}

function summarize(turns: Turn[]): Measured {
  const times = turns.flatMap((turn) => turn.times);
  return {
    rate: median(turns.map(({ rate }) => rate)),
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
  };
}

/** The ratio of each run, in Markdown. */
export function runsTable(runs: CaseResult[][]): string {
  const [first = []] = runs;
  return markdownTable(
    ['app / baseline', ...runs.map((_, index) => `run ${index + 1}`), 'target'],
    first.map(({ benchCase: { name, target } }, nth) => {
      const ratios = runs.map((results) => results[nth]?.ratio.median ?? NaN);
      return [name, ...ratios.map((ratio) => ratio.toFixed(2)), formatTarget(target, Math.min(...ratios))];
    }),
  );
}

const HEADER = [
  'case',
  'app req/s',
  'baseline req/s',
  'app p50 / p99 ms',
  'baseline p50 / p99 ms',
  'app / baseline',
  'target',
];

export function caseTable(results: CaseResult[]): string {
  return markdownTable(HEADER, results.map(toRow));
}

function toRow({ benchCase, app, baseline, ratio }: CaseResult): string[] {
  return [
    benchCase.name,
    formatRate(app),
    formatRate(baseline),
    formatTimes(app),
    formatTimes(baseline),
    formatRatio(ratio),
    formatTarget(benchCase.target, ratio.median),
  ];
}

/** `0.8: yes`; empty without a target. */
export function formatTarget(target: number | null, measured: number): string {
  return target === null ? '' : `${target}: ${measured >= target ? 'yes' : '**no**'}`;
}

export function formatRate({ rate }: Measured): string {
  return Math.round(rate).toLocaleString('en');
}

function formatTimes({ p50, p99 }: Measured): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
}
