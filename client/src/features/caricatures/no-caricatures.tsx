import { WandSparkles } from 'lucide-react';
import type { ReactNode } from 'react';

interface NoCaricaturesProps {
  isEnabled: boolean;
  hasPhotos: boolean;
  action: ReactNode;
}

export function NoCaricatures({ isEnabled, hasPhotos, action }: NoCaricaturesProps) {
  return (
    <div className="flex flex-col items-center gap-6 py-6 text-center sm:py-10">
      <TwoPrints />
      <div>
        <h3 className="text-lead font-medium">No Caricatures Yet</h3>
        <p className="mt-1 max-w-sm text-balance text-muted">
          {!isEnabled
            ? 'Caricatures are turned off.'
            : hasPhotos
              ? 'Pick a photo above and turn it into a cartoon.'
              : 'Every caricature starts with a photo of your pet.'}
        </p>
      </div>
      {isEnabled && action}
    </div>
  );
}

function TwoPrints() {
  return (
    <div aria-hidden className="flex">
      <div className="w-28 -rotate-4 rounded-print bg-print p-2 pb-6 shadow-print">
        <div className="aspect-square rounded-[2px] bg-well" />
      </div>
      <div className="mt-5 -ml-5 w-28 rotate-5 rounded-print bg-print p-2 pb-6 shadow-print">
        <div className="grid aspect-square place-items-center rounded-[2px] bg-[radial-gradient(circle,var(--edge)_22%,var(--well)_26%)] bg-size-[8px_8px]">
          <span className="grid size-12 place-items-center rounded-full bg-print">
            <WandSparkles className="size-6 text-accent" />
          </span>
        </div>
      </div>
    </div>
  );
}
