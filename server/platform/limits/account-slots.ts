import { TooManyRequestsError } from '../errors.ts';

const RETRY_SECONDS = 5;

export type AccountSlots = {
  /** @throws TooManyRequestsError when too many of the account wait in line, or one waited too long */
  run: <Result>(account: string, work: () => Promise<Result>) => Promise<Result>;
  /** Like `run`, but the caller frees the slot by calling the returned function once. */
  take: (account: string) => Promise<() => void>;
};

type Account = { taken: number; line: Set<() => void> };

/**
 * Limits what one account does at the same time. Others wait in line, which costs no memory for their photos. With a `total`,
 * the waiting account with the fewest slots is next, and once half of it is taken, only accounts without a slot get one.
 */
export function createAccountSlots(limits: {
  slots: number;
  total?: number;
  maxInLine: number;
  maxWaitMs: number;
  /** Of the limit, in the security log. */
  name: string;
  message: string;
}): AccountSlots {
  const { slots, total = Infinity } = limits;
  const accounts = new Map<string, Account>();
  let allTaken = 0;
  return {
    take,
    async run(account, work) {
      const free = await take(account);
      try {
        return await work();
      } finally {
        free();
      }
    },
  };

  function take(account: string): Promise<() => void> {
    const own = accounts.get(account) ?? { taken: 0, line: new Set<() => void>() };
    accounts.set(account, own);
    const free = () => {
      count(own, -1);
      forgetIdle(account, own);
      serveNext();
    };
    if (!mayTake(own)) return waitInLine(account, own, free);
    count(own, 1);
    return Promise.resolve(free);
  }

  function forgetIdle(account: string, { taken, line }: Account): void {
    if (taken === 0 && line.size === 0) accounts.delete(account);
  }

  function mayTake({ taken }: Account): boolean {
    return taken === 0 ? allTaken < total : taken < slots && allTaken < total / 2;
  }

  function count(own: Account, change: 1 | -1): void {
    own.taken += change;
    allTaken += change;
  }

  function serveNext(): void {
    const waiting = [...accounts].filter(([, own]) => own.line.size > 0 && mayTake(own));
    const fewest = Math.min(...waiting.map(([, own]) => own.taken));
    const next = waiting.find(([, own]) => own.taken === fewest);
    if (!next) return;
    const [account, own] = next;
    // To the end, so that accounts with equally many take turns.
    accounts.delete(account);
    accounts.set(account, own);
    count(own, 1);
    [...own.line][0]?.();
  }

  function waitInLine(account: string, own: Account, free: () => void): Promise<() => void> {
    const { line } = own;
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        line.delete(proceed);
        forgetIdle(account, own);
        reject(new TooManyRequestsError(limits.message, RETRY_SECONDS, limits.name));
      };
      if (line.size >= limits.maxInLine) return giveUp();
      const timer = setTimeout(giveUp, limits.maxWaitMs);
      function proceed(): void {
        clearTimeout(timer);
        line.delete(proceed);
        resolve(free);
      }
      line.add(proceed);
    });
  }
}
