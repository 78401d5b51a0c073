import type { ReactNode } from 'react';

/** A page's main action: fixed to the bottom edge on phones, in the page's flow elsewhere. */
export function BottomActionBar({ children }: { children: ReactNode }) {
  return (
    // Lets taps through its transparent part.
    <div className="pointer-events-none fixed inset-x-0 bottom-0 z-20 bg-linear-to-t from-paper from-65% to-transparent px-5 pt-6 pb-[max(1rem,env(safe-area-inset-bottom))] *:pointer-events-auto sm:static sm:bg-none sm:p-0">
      {children}
    </div>
  );
}
