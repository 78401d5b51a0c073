import { type Placeholder, sql, type SQL } from 'drizzle-orm';
import type { Db, Tx } from './database.ts';

/**
 * Builds a statement once per shape instead of once per request. Give `prepare` a name if the best plan does not depend
 * on the values: then each connection also parses it only once. An empty name means unnamed to Postgres.
 */
export function prepared<Statement, Shape = void, Connection extends Db | Tx = Db>(
  build: (db: Connection, shape: Shape) => Statement,
): (db: Connection, shape: Shape) => Statement {
  const statementsByDb = new WeakMap<Connection, Map<string, Statement>>();
  return (db, shape) => {
    const statements = statementsByDb.get(db) ?? new Map<string, Statement>();
    statementsByDb.set(db, statements);
    const key = JSON.stringify(shape ?? null);
    const statement = statements.get(key) ?? build(db, shape);
    statements.set(key, statement);
    return statement;
  };
}

/** A named parameter. Postgres may make a new plan for each value. */
export const param = (name: string, type: string): SQL => sql`${sql.placeholder(name)}::${sql.raw(type)}`;

/** A named parameter whose value the planner does not see: a named statement with only these is planned once. */
export const opaqueParam = (name: string, type: string): SQL => sql`(select ${param(name, type)})`;

/** A number in the statement's text. Drizzle accepts it as a limit, but its types do not. */
export const literal = (number: number) => sql.raw(String(number)) as unknown as Placeholder;
