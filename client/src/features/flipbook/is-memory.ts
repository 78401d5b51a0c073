import type { Memory } from '#shared/memory';
import type { SoughtMemory } from '../memories/memories-by-id-api.ts';

/** It has come. */
export function isMemory(memory: SoughtMemory): memory is Memory {
  return memory !== null && memory !== 'loading' && !('retry' in memory);
}
