import { isDeadlock } from './database-errors.ts';

const MAX_ATTEMPTS = 3;

/** Repeats a transaction that Postgres has ended because of a deadlock. */
export async function retryDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction();
    } catch (error) {
      if (!isDeadlock(error) || attempt === MAX_ATTEMPTS) throw error;
    }
  }
}
