import type { ReactNode } from 'react';
import { EmptyAlbumDrawing } from '../empty-album-drawing.tsx';

interface EmptyGalleryProps {
  title: string;
  text: string;
  /** The one button that leads on. */
  action: ReactNode;
}

export function EmptyGallery({ title, text, action }: EmptyGalleryProps) {
  return (
    <div className="flex flex-col items-center gap-6 py-8 text-center sm:py-16">
      <EmptyAlbumDrawing />
      <div>
        <h2 className="text-lead font-medium">{title}</h2>
        <p className="mt-1 text-balance text-muted">{text}</p>
      </div>
      {action}
    </div>
  );
}
