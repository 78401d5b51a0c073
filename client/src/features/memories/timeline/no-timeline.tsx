import type { ReactNode } from 'react';
import { EmptyAlbumDrawing } from '../empty-album-drawing.tsx';

/** @param action the button that starts it */
export function NoTimeline({ action }: { action: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-6 py-6 text-center sm:py-12">
      <EmptyAlbumDrawing />
      <div>
        <h2 className="text-lead font-medium">No memories yet</h2>
        <p className="mt-1 text-balance text-muted">Upload your first memory to start your timeline!</p>
      </div>
      {action}
    </div>
  );
}
