import type { DeletedMemory } from '#shared/memory';
import { isNotFound } from '../../../lib/api-client.ts';
import { TRASH, useRestoreMemory, useTakeOut } from './memory-trash-api.ts';
import { showRestored, type Restored } from './restored-notice.ts';

/** Out of the trash with a memory, at once; back into it when the server says no. */
export function useRestoring() {
  const takeOut = useTakeOut();
  const { mutateAsync: restoreMemory } = useRestoreMemory();
  return (memory: DeletedMemory): void => {
    const putBack = takeOut(TRASH, memory);
    const restoring = restoreMemory(memory).then(
      (): Restored => 'restored',
      (error: unknown): Restored => {
        if (!isNotFound(error)) putBack();
        return { error };
      },
    );
    void restoring.then((outcome) => showRestored([outcome]));
  };
}
