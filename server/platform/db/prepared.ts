import { type Placeholder, sql, type SQL } from 'drizzle-orm';
import type { Db } from './database.ts';

/**
 * A statement that many requests need, put together once for each of its shapes instead of each time. Under a name,
 * each connection also parses it once: for one whose best plan doesn't depend on its values. Postgres takes an empty name
 * for none.
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

/** A value of a statement, by its name. Postgres makes a plan for it anew each time, if that looks the least bit better. */
export const seen = (name: string, type: string): SQL => sql`${sql.placeholder(name)}::${sql.raw(type)}`;

/** The same, hidden from whoever plans: a named statement without other values is planned only once. */
export const unseen = (name: string, type: string): SQL => sql`(select ${seen(name, type)})`;

/** A number that is part of the statement. Drizzle writes it as it is, and has no type for it. */
export const written = (number: number) => sql.raw(String(number)) as unknown as Placeholder;
