import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { readStored, writeStored } from '../../../lib/browser/local-storage.ts';
import type { GridDivider } from '../grid/memory-grid-row.tsx';
import { getMemory } from '../store/memory-store.ts';

/**
 * Divides what was added since the user's last visit, on this device, from what is older.
 * @param ids of the whole album, last added first; undefined while they are loading or filtered
 * @returns null on the first visit, or when nothing is new
 */
export function useNewMemories(userId: string, ids: string[] | undefined): GridDivider | null {
  const client = useQueryClient();
  const key = `last-seen-memory-${userId}`;
  /** When the newest memory of the last visit was added. */
  const [lastSeenAt] = useState(() => readStored(key));
  // What is added during the visit is not new since the last one.
  const [openedAt] = useState(() => new Date().toISOString());

  useEffect(() => {
    const newest = ids?.[0] === undefined ? null : getMemory(client, ids[0]);
    if (newest && newest.createdAt > (readStored(key) ?? '')) writeStored(key, newest.createdAt);
  }, [client, key, ids]);

  return useMemo(() => {
    if (lastSeenAt === null || !ids) return null;
    const isAddedBy = (id: string, instant: string) => {
      const memory = getMemory(client, id);
      return memory ? memory.createdAt <= instant : false;
    };
    // None if all memories that are loaded are new: how many there are is not known then.
    const index = ids.findIndex((id) => isAddedBy(id, lastSeenAt));
    const count = ids.slice(0, index).filter((id) => isAddedBy(id, openedAt)).length;
    if (index < 0 || count === 0) return null;
    return { index, text: `${count.toLocaleString('en')} new since you were here` };
  }, [client, ids, lastSeenAt, openedAt]);
}
