import { drizzle } from 'drizzle-orm/node-postgres';
import { type Db, openDatabase } from '../../platform/db/database.ts';

/** A node of a query plan with actual row counts (`explain analyze`). */
export type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  /** An average over the loops. */
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  /** Of its children, too. */
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/** Runs queries and returns all nodes of their plans. */
export async function explain(url: string, run: (db: Db) => Promise<unknown>): Promise<PlanNode[]> {
  const database = openDatabase({ url, poolSize: 1, onError: () => undefined });
  const asked: { query: string; params: unknown[] }[] = [];
  const logger = { logQuery: (query: string, params: unknown[]) => void asked.push({ query, params }) };
  try {
    await run(drizzle(database.pool, { logger }));
    const nodes: PlanNode[] = [];
    for (const { query, params } of asked) {
      const { rows } = await database.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, format json) ${query}`,
        params,
      );
      for (const row of rows) nodes.push(...withChildren(row['QUERY PLAN'][0].Plan));
    }
    return nodes;
  } finally {
    await database.close();
  }
}

/** All rows that a node read, filtered ones included. */
export function rowsRead(node: PlanNode): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Index Recheck': rechecked = 0 } = node;
  return Math.round((node['Actual Rows'] + filtered + rechecked) * node['Actual Loops']);
}

/** Blocks of 8 KB that whole statements read, which are the first nodes of their plans. */
export function blocksRead({ 'Shared Hit Blocks': hit, 'Shared Read Blocks': read }: PlanNode): number {
  return hit + read;
}

function withChildren(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(withChildren)];
}
