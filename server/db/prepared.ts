import type { Db } from './database.ts';

/**
 * A statement that many requests need, put together once for each of its shapes instead of each time. Under a name,
 * each connection also parses and plans it once: for one whose best plan doesn't depend on its values. Postgres takes
 * an empty name for none.
 */
export function prepared<Statement, Shape = void>(
  build: (db: Db, shape: Shape) => Statement,
): (db: Db, shape: Shape) => Statement {
  const statementsOf = new WeakMap<Db, Map<string, Statement>>();
  return (db, shape) => {
    const statements = statementsOf.get(db) ?? new Map<string, Statement>();
    statementsOf.set(db, statements);
    const key = JSON.stringify(shape ?? null);
    const statement = statements.get(key) ?? build(db, shape);
    statements.set(key, statement);
    return statement;
  };
}
