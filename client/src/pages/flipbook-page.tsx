import { useLocation } from 'wouter';
import { FlipbookViewer } from '../features/flipbook/viewer/flipbook-viewer.tsx';
import { paths } from '../lib/paths.ts';
import { usePageTitle } from '../lib/use-page-title.ts';
import { cameFromGallery } from './came-from-gallery.ts';

export function FlipbookPage({ bookId }: { bookId: string }) {
  usePageTitle('Memory Flipbook');
  const [, navigate] = useLocation();
  const close = () => {
    // The way back leads to where someone was in the gallery.
    if (cameFromGallery(history.state)) history.back();
    else navigate(paths.gallery);
  };
  return <FlipbookViewer bookId={bookId} onClose={close} />;
}
