import type { RefObject } from 'react';
import type { Memory } from '#shared/memory';
import { PublicLink } from '../../../ui/public-link.tsx';
import { useMemoryShare, useUnshareMemory } from '../../shares/share-api.ts';

interface MemoryLinkProps {
  memory: Memory;
  /** Where the focus goes once it is not shared any more. */
  shareButton: RefObject<HTMLElement | null>;
}

/** The link that its owner has made of a memory, and its end. Nothing while it is not shared. */
export function MemoryLink({ memory, shareButton }: MemoryLinkProps) {
  const { data: share } = useMemoryShare(memory.id);
  const { mutateAsync: unshare, isPending } = useUnshareMemory();
  return (
    <PublicLink
      url={share?.url ?? null}
      shows="photo"
      onStop={() => unshare(memory.id)}
      isStopping={isPending}
      shareButton={shareButton}
    />
  );
}
