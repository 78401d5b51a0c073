import { TooManyRequestsError } from '../errors.ts';

const TOO_MANY = 'Your photos are still being worked on. Please try again in a moment.';
const RETRY_SECONDS = 5;
const LIMIT_NAME = 'decoder';

export type AccountSlots = {
  /** @throws TooManyRequestsError when too many of the account wait in line, or one waited too long */
  run: <Result>(account: string, work: () => Promise<Result>) => Promise<Result>;
};

/** Limits what one account does at the same time. Others wait in line, which costs no memory for their photos. */
export function createAccountSlots(limits: {
  slots: number;
  maxInLine: number;
  maxWaitMs: number;
}): AccountSlots {
  const accounts = new Map<string, { taken: number; line: Set<() => void> }>();

  return {
    async run(account, work) {
      const own = accounts.get(account) ?? { taken: 0, line: new Set<() => void>() };
      accounts.set(account, own);
      if (own.taken < limits.slots) own.taken++;
      else await waitInLine(own.line);
      try {
        return await work();
      } finally {
        const [next] = own.line;
        // Hands its slot to the next.
        if (next) next();
        else if (--own.taken === 0) accounts.delete(account);
      }
    },
  };

  function waitInLine(line: Set<() => void>): Promise<void> {
    if (line.size >= limits.maxInLine) throw new TooManyRequestsError(TOO_MANY, RETRY_SECONDS, LIMIT_NAME);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        line.delete(proceed);
        reject(new TooManyRequestsError(TOO_MANY, RETRY_SECONDS, LIMIT_NAME));
      }, limits.maxWaitMs);
      const proceed = () => {
        clearTimeout(timer);
        line.delete(proceed);
        resolve();
      };
      line.add(proceed);
    });
  }
}
