import type { BenchCase } from '../cases/bench-case.ts';
import type { Stage } from '../stage/start-stage.ts';
import { compareAnswers } from './compare-answers.ts';
import { contenderOf, type Side } from './contender.ts';
import { fire, type Turn } from './fire.ts';
import { median, quantile } from './statistics.ts';

const WARM_UP_SECONDS = 2;

export type Measured = { rate: number; p50: number; p99: number };

export type CaseResult = {
  benchCase: BenchCase;
  app: Measured;
  floor: Measured;
  /** The median of the rounds' own ratios, with the least and the largest. */
  ratio: { median: number; least: number; most: number };
};

/** First the two must answer alike, then both are warmed up, then they take turns, changing who begins. */
export async function measureCase(
  benchCase: BenchCase,
  stage: Stage,
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<CaseResult> {
  const contenders = {
    app: contenderOf('app', benchCase, stage),
    floor: contenderOf('floor', benchCase, stage),
  };
  const turn = (side: Side, length: number) => fire(contenders[side], benchCase.status ?? 200, length);
  await compareAnswers(benchCase, contenders.app, contenders.floor);
  for (const side of ['app', 'floor'] as const) await turn(side, WARM_UP_SECONDS);

  const turns: Record<Side, Turn[]> = { app: [], floor: [] };
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['app', 'floor'] as const) : (['floor', 'app'] as const);
    for (const side of order) turns[side].push(await turn(side, seconds));
  }
  const ratios = turns.app.map(({ rate }, round) => rate / (turns.floor[round]?.rate ?? NaN));
  return {
    benchCase,
    app: summarize(turns.app),
    floor: summarize(turns.floor),
    ratio: { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) },
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
