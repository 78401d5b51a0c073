import pg from 'pg';
import { getDatabaseConfig } from './past-memories.ts';

/** Runs a statement in the server's database. @returns the number of rows */
export async function inDatabase(text: string, values: string[] = []): Promise<number> {
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  try {
    return (await database.query(text, values)).rowCount ?? 0;
  } finally {
    await database.end();
  }
}
