import { useLocation } from 'wouter';
import { FlipbookViewer } from '../../features/flipbook/viewer/flipbook-viewer.tsx';
import { CAME_FROM_GALLERY, paths } from '../../lib/routing/paths.ts';

export function FlipbookPage({ bookId }: { bookId: string }) {
  const [, navigate] = useLocation();
  const close = () => {
    const state = history.state as Partial<typeof CAME_FROM_GALLERY> | null;
    // Going back restores the scroll position of the gallery.
    if (state?.cameFrom === CAME_FROM_GALLERY.cameFrom) history.back();
    else navigate(paths.gallery);
  };
  return <FlipbookViewer bookId={bookId} onClose={close} />;
}
