import '../flipbook.css';
import { FileDown } from 'lucide-react';
import type { ReactNode } from 'react';
import * as z from 'zod/mini';
import { countFlipbookPages } from '#shared/album/flipbook';
import { usePageTitle } from '../../../lib/routing/use-page-title.ts';
import { useSearchParams } from '../../../lib/routing/use-search-params.ts';
import { Button } from '../../../ui/buttons/button.tsx';
import { ErrorNotice } from '../../../ui/error-notice.tsx';
import { LoadingScreen } from '../../../ui/loading/loading-screen.tsx';
import { useBook } from '../flipbook-store.ts';
import { parsePage } from '../spreads.ts';
import { BookList } from './book-list.tsx';
import { OpenBook } from './open-book.tsx';
import { usePdf } from './use-pdf.ts';
import { BarButton, type BookViewProps } from './viewer-bar.tsx';

interface FlipbookViewerProps {
  bookId: string;
  onClose: () => void;
}

export function FlipbookViewer({ bookId, onClose }: FlipbookViewerProps) {
  const { isStored, title, memoryIds, isError, isFetching, refetch } = useBook(bookId);
  usePageTitle(title);
  if (!isStored) {
    return (
      <NoBook title="This flipbook is no longer available" onClose={onClose}>
        A flipbook stays in the tab where you created it. Your memories are safe in the gallery, and a new
        flipbook takes only a moment.
      </NoBook>
    );
  }
  if (isError && !memoryIds) {
    return (
      <div className="mx-auto max-w-xl px-5 py-32">
        <ErrorNotice onRetry={refetch} isRetrying={isFetching}>
          Your book could not be opened. Please check your connection and try again.
        </ErrorNotice>
      </div>
    );
  }
  if (!memoryIds) return <LoadingScreen isPage />;
  if (memoryIds.length === 0) {
    return (
      <NoBook title="This book has no memories left" onClose={onClose}>
        All of its memories have been deleted.
      </NoBook>
    );
  }
  // The engine needs a fixed number of pages.
  return <Book key={memoryIds.length} title={title} memoryIds={memoryIds} onClose={onClose} />;
}

const schema = z.object({
  /** Counts from 1. */
  page: z.catch(z.string(), '1'),
  view: z.catch(z.enum(['pages', 'list']), 'pages'),
});

function Book({ title, memoryIds, onClose }: Pick<BookViewProps, 'title' | 'memoryIds' | 'onClose'>) {
  const [{ page, view }, setParams] = useSearchParams(schema);
  const goTo = (index: number, nextView = view) => {
    const next = { page: String(index + 1), view: nextView };
    if (next.page !== page || nextView !== view)
      setParams(next, { replace: true, state: history.state as unknown });
  };
  const pdf = usePdf(title, memoryIds);
  const View = view === 'list' ? BookList : OpenBook;
  return (
    <View
      title={title}
      memoryIds={memoryIds}
      startPage={parsePage(page, countFlipbookPages(memoryIds.length))}
      onPage={goTo}
      onSwitchView={(index) => goTo(index, view === 'list' ? 'pages' : 'list')}
      onClose={onClose}
      actions={<PdfButton {...pdf} />}
    />
  );
}

function PdfButton({ isCreating, progress, start }: ReturnType<typeof usePdf>) {
  return (
    <div className="relative">
      <BarButton Icon={FileDown} isPending={isCreating} onClick={start}>
        {isCreating ? (
          <span className="tabular-nums">
            <span className="max-sm:sr-only short:sr-only">Creating PDF </span>
            {progress}%
          </span>
        ) : (
          <span>
            <span className="max-sm:sr-only short:sr-only">Download </span>PDF
          </span>
        )}
      </BarButton>
      {isCreating && (
        <div
          role="progressbar"
          aria-label="Creating the PDF"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={progress}
          className="absolute inset-x-4 bottom-1 h-1 overflow-hidden rounded-full bg-hairline"
        >
          <div
            className="h-full bg-accent transition-[width] duration-250"
            style={{ width: `${progress}%` }}
          />
        </div>
      )}
    </div>
  );
}

function NoBook({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-4 px-5 text-center">
      <h1 className="text-title">{title}</h1>
      <p className="text-balance text-muted">{children}</p>
      <Button variant="secondary" onClick={onClose} className="mt-2">
        Back to the gallery
      </Button>
    </div>
  );
}
