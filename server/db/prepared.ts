import type { Db } from './database.ts';

/**
 * A statement that most requests need: put together once, and parsed and planned once by each connection, under the
 * name that `build` gives it. Only for statements whose best plan doesn't depend on their values.
 */
export function prepared<Statement>(build: (db: Db) => Statement): (db: Db) => Statement {
  const built = new WeakMap<Db, Statement>();
  return (db) => {
    const statement = built.get(db) ?? build(db);
    built.set(db, statement);
    return statement;
  };
}
