import type { Memory } from '#shared/memory';
import { PublicLink } from '../../../ui/public-link.tsx';
import { useMemoryShare, useUnshareMemory } from '../../shares/share-api.ts';

/** The link that its owner has made of a memory, and its end. Nothing while it is not shared. */
export function MemoryLink({ memory }: { memory: Memory }) {
  const { data: share } = useMemoryShare(memory.id);
  const { mutateAsync: unshare } = useUnshareMemory();
  return <PublicLink url={share?.url ?? null} shows="photo" onStop={() => unshare(memory.id)} />;
}
