import type { ReactNode } from 'react';

/** A screen's main action: on a phone it stays within reach of the thumb, elsewhere it stands where it is written. */
export function BottomActionBar({ children }: { children: ReactNode }) {
  return (
    // What can be seen through it can be tapped through it.
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-20 bg-linear-to-t from-paper from-65% to-transparent px-5 pt-6 pb-[max(1rem,env(safe-area-inset-bottom))] *:pointer-events-auto sm:static sm:bg-none sm:p-0">
      {children}
    </div>
  );
}
