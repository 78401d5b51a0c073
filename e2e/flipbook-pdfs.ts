import pg from 'pg';
import { expect } from './fixtures.ts';
import { getDatabaseConfig } from './database.ts';

/** Marks a PDF as failed, as after its last attempt. */
export async function failPdf(id: string): Promise<void> {
  const database = new pg.Client(await getDatabaseConfig());
  await database.connect();
  // Only once completed, since the job would overwrite the status.
  const fail = "update flipbook_pdfs set status = 'failed' where id = $1 and status = 'completed'";
  const failed = async () => (await database.query(fail, [id])).rowCount;
  await expect.poll(failed, { timeout: 30_000, message: 'made, and failed' }).toBe(1);
  await database.end();
}
