import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    /** FAST_CHECK_SEED, or always the same one. A failure names it. */
    fastCheckSeed: number;
  }
}

fc.configureGlobal({ seed: inject('fastCheckSeed') });
