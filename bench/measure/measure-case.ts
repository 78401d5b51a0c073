import type { BenchCase } from '../cases/bench-case.ts';
import type { Environment } from '../environment/start-environment.ts';
import { compareResponses } from './compare-responses.ts';
import { toMeasuredServer, type Side } from './measured-server.ts';
import { sendRequests, type Turn } from './send-requests.ts';
import { formatRatio, markdownTable, type Ratio } from '../markdown-table.ts';
import { median, quantile } from './statistics.ts';

const WARM_UP_SECONDS = 2;

export type Measured = { rate: number; p50: number; p99: number };

export type CaseResult = {
  benchCase: BenchCase;
  app: Measured;
  baseline: Measured;
  ratio: Ratio;
};

/** Compares the responses of both servers, warms both up, then sends load in turns; every other round the baseline starts. */
export async function measureCase(
  benchCase: BenchCase,
  environment: Environment,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<CaseResult> {
  const servers = {
    app: toMeasuredServer('app', benchCase, environment),
    baseline: toMeasuredServer('baseline', benchCase, environment),
  };
  const turn = (side: Side, length: number) => sendRequests(servers[side], benchCase.status ?? 200, length);
  await compareResponses(benchCase, servers.app, servers.baseline);
  for (const side of ['app', 'baseline'] as const) await turn(side, WARM_UP_SECONDS);

  const turns: Record<Side, Turn[]> = { app: [], baseline: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['app', 'baseline'] as const) : (['baseline', 'app'] as const);
    for (const side of order) turns[side].push(await turn(side, seconds));
  }
  const ratios = turns.app.map(({ rate }, round) => rate / (turns.baseline[round]?.rate ?? NaN));
  return {
    benchCase,
    app: summarize(turns.app),
    baseline: summarize(turns.baseline),
    ratio: { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) },
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
  const { target } = benchCase;
  return [
    benchCase.name,
    formatRate(app),
    formatRate(baseline),
    formatTimes(app),
    formatTimes(baseline),
    formatRatio(ratio),
    target === null ? '' : `${target.toFixed(1)}: ${ratio.median >= target ? 'yes' : '**no**'}`,
  ];
}

function formatRate({ rate }: Measured): string {
  return Math.round(rate).toLocaleString('en');
}

function formatTimes({ p50, p99 }: Measured): string {
  return `${p50.toFixed(1)} / ${p99.toFixed(1)}`;
}
