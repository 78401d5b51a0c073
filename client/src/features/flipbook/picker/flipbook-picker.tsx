import { useQuery } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FailureNotice } from '../../../ui/failure-notice.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { showToast } from '../../../ui/toast-store.ts';
import { inBookOrder } from '../book-order.ts';
import { memoryIdsQuery, useKeepBook } from '../flipbook-api.ts';
import { PickerGrid } from './picker-grid.tsx';
import { useSelection, type Selection } from './use-selection.ts';

const PLACEHOLDERS = 24;

interface FlipbookPickerProps {
  isOpen: boolean;
  filters: { q: string; petId: string };
  onClose: () => void;
  onCreated: (bookId: string) => void;
}

/** Chooses the memories of a book, among all that the gallery shows. */
export function FlipbookPicker({ isOpen, onClose, ...props }: FlipbookPickerProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Create Memory Flipbook"
      className="flex h-[calc(100dvh-2rem)] flex-col sm:h-[min(100dvh-3rem,56rem)] sm:max-w-5xl"
    >
      <Picker {...props} />
    </Dialog>
  );
}

function Picker({ filters, onCreated }: Pick<FlipbookPickerProps, 'filters' | 'onCreated'>) {
  const { data: ids, isError, isFetching, refetch } = useQuery(memoryIdsQuery(filters));
  const selection = useSelection(ids ?? []);
  const keep = useKeepBook();
  const count = selection.chosen.size;

  const create = () => {
    if (count === 0) {
      showToast({
        variant: 'destructive',
        title: 'No memories selected',
        description: 'Please select at least one memory to create a flipbook.',
      });
      return;
    }
    onCreated(keep(inBookOrder(ids ?? [], selection.chosen)));
    showToast({
      variant: 'success',
      title: 'Flipbook created!',
      description: `${count} ${count === 1 ? 'memory is' : 'memories are'} in your book.`,
    });
  };

  return (
    <>
      <SelectionBar total={ids?.length} selection={selection} />
      <div className="-mx-5 flex min-h-0 flex-1 flex-col border-y border-hairline sm:-mx-8">
        {ids ? (
          ids.length > 0 ? (
            <PickerGrid ids={ids} selection={selection} />
          ) : (
            <p className="m-auto p-6 text-center text-balance text-muted">There are no memories here yet.</p>
          )
        ) : isError ? (
          <div className="p-5 sm:px-8">
            <FailureNotice onRetry={() => void refetch()} isRetrying={isFetching}>
              Your memories could not be loaded. They are safe; please check your connection and try again.
            </FailureNotice>
          </div>
        ) : (
          <PickerSkeleton />
        )}
      </div>
      <Button onClick={create} variant={count > 0 ? 'primary' : 'secondary'} className="mt-4 min-h-13 w-full">
        {count > 0
          ? `Create Flipbook with ${count} ${count === 1 ? 'memory' : 'memories'}`
          : 'Select memories to create flipbook'}
      </Button>
    </>
  );
}

function SelectionBar({ total, selection }: { total: number | undefined; selection: Selection }) {
  const { chosen, chooseAll, clear } = selection;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <p role="status" className="grow font-semibold tabular-nums max-sm:w-full">
        {chosen.size} selected
      </p>
      <Button
        variant="quiet"
        disabled={!total}
        onClick={chooseAll}
        className="px-2 tabular-nums max-sm:-ml-2"
      >
        Select All ({total ?? 0})
      </Button>
      <Button variant="quiet" onClick={clear} className="px-2">
        Clear Selection
      </Button>
    </div>
  );
}

/** In the shape of the tiles to come. */
function PickerSkeleton() {
  return (
    <div className="overflow-hidden px-5 pt-4 sm:px-8">
      <p role="status" className="sr-only">
        Loading...
      </p>
      <div className="grid grid-cols-3 gap-3.5 sm:grid-cols-[repeat(auto-fill,minmax(148px,1fr))]">
        {Array.from({ length: PLACEHOLDERS }, (_, index) => (
          <div key={index} className="pb-12">
            <Skeleton className="aspect-square" />
          </div>
        ))}
      </div>
    </div>
  );
}
