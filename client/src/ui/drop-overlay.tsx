import { ImagePlus } from 'lucide-react';
import { useFilesDragged } from '../lib/browser/file-drags.ts';
import { isDialogOpen } from '../lib/browser/use-files-on-page.ts';

/** Shown while files are dragged over the page, but not over a dialog. Lets each event through to the page. */
export function DropOverlay() {
  const isDragged = useFilesDragged(() => !isDialogOpen());
  if (!isDragged) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-50 flex animate-fade-in bg-veil p-5">
      <p className="m-auto flex items-center gap-3 rounded-sheet bg-sheet px-8 py-6 text-lead text-ink shadow-lifted">
        <ImagePlus className="size-6" />
        Drop to add them to your album
      </p>
    </div>
  );
}
