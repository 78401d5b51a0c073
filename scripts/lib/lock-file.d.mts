type Identified = { id: string };

/** After a torn write the holder has nothing but an id. */
export function acquireLock<Holder extends Identified>(
  file: string,
  me: Holder,
  options: {
    isAlive(holder: Partial<Holder> & Identified, file: string): boolean | Promise<boolean>;
    /** Throws, or resolves when the lock is to be tried again. */
    onHeld(holder: Partial<Holder> & Identified): Promise<void> | void;
  },
): Promise<void>;
export function replaceLock(file: string, me: Identified): void;
export function releaseLock(file: string, me: Identified): void;
