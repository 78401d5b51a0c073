import { TransactionRollbackError } from 'drizzle-orm';
import type { Tx } from './database.ts';

/** Undoes `act` in a savepoint unless `isKept`, in as much time: a rollback of the transaction would be faster than its commit. */
export async function undoUnless(isKept: boolean, tx: Tx, act: () => Promise<void>): Promise<void> {
  try {
    await tx.transaction(async (savepoint) => {
      await act();
      if (!isKept) savepoint.rollback();
    });
  } catch (error) {
    if (!(error instanceof TransactionRollbackError)) throw error;
  }
}
