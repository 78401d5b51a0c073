import { useQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { MAX_FLIPBOOK_TITLE_LENGTH, NO_MEMORIES_SELECTED, toBookOrder } from '#shared/album/flipbook';
import { flipbookTexts } from '#shared/album/flipbook-texts';
import { idsBetween } from '../../../lib/ids-between.ts';
import { Button, buttonClasses } from '../../../ui/buttons/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { Skeleton } from '../../../ui/loading/skeleton.tsx';
import { showSuccess, showToast } from '../../../ui/toasts/toast-store.ts';
import { memoryIdsQuery, useStoreBook } from '../flipbook-store.ts';
import { PickerGrid } from './picker-grid.tsx';
import { LoadError } from '../../../ui/error-notice.tsx';

const PLACEHOLDERS = 24;
const BUTTON = buttonClasses({ variant: 'secondary', className: 'max-lg:size-11 max-lg:p-0' });
const TEXT = '-my-3 flex min-h-11 items-center gap-2 font-semibold whitespace-nowrap text-ink';

interface CreateFlipbookProps {
  /** As text it looks like the links beside it. */
  look?: 'button' | 'text' | undefined;
  filters: { q: string; petId: string; isLiked: boolean };
  /** Called when the picker opens, to preload the viewer. */
  onOpen: () => void;
  onCreated: (bookId: string) => void;
}

export function CreateFlipbook({ look = 'button', onOpen, ...props }: CreateFlipbookProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onOpen();
    setOpen(true);
  };
  return (
    <>
      <button type="button" aria-haspopup="dialog" onClick={open} className={look === 'text' ? TEXT : BUTTON}>
        <BookOpen className={look === 'text' ? 'size-4 max-[390px]:hidden' : undefined} />
        <span className={look === 'text' ? undefined : 'max-lg:sr-only'}>Create Flipbook</span>
      </button>
      <Dialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title="Create Memory Flipbook"
        focusesItself
        className="flex h-[calc(100dvh-2rem)] flex-col sm:h-[min(100dvh-3rem,56rem)] sm:max-w-5xl"
      >
        <Picker {...props} />
      </Dialog>
    </>
  );
}

function Picker({ filters, onCreated }: Omit<CreateFlipbookProps, 'onOpen' | 'look'>) {
  const { data: ids, isError, isFetching, refetch } = useQuery(memoryIdsQuery(filters));
  const selection = useSelection(ids ?? []);
  const storeBook = useStoreBook();
  const count = selection.chosen.size;
  const [title, setTitle] = useState('');

  const create = () => {
    if (count === 0) {
      showToast({
        variant: 'destructive',
        title: 'No memories selected',
        description: NO_MEMORIES_SELECTED,
      });
      return;
    }
    onCreated(storeBook(title.trim() || flipbookTexts.title, toBookOrder(ids ?? [], selection.chosen)));
    showSuccess('Flipbook created!', `${count} ${count === 1 ? 'memory is' : 'memories are'} in your book.`);
  };

  return (
    <>
      <TextField
        label="Title"
        placeholder={flipbookTexts.title}
        maxLength={MAX_FLIPBOOK_TITLE_LENGTH}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
        dir="auto"
        autoComplete="off"
        className="mt-3 sm:max-w-sm"
      />
      <SelectionBar total={ids?.length} {...selection} />
      <div className="-mx-5 flex min-h-0 flex-1 flex-col border-y border-hairline sm:-mx-8">
        {ids ? (
          ids.length > 0 ? (
            <PickerGrid ids={ids} {...selection} />
          ) : (
            <p className="m-auto p-6 text-center text-balance text-muted">There are no memories here yet.</p>
          )
        ) : isError ? (
          <div className="p-5 sm:px-8">
            <LoadError what="Your memories" isSafe onRetry={refetch} isRetrying={isFetching} />
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

interface SelectionBarProps extends Omit<ReturnType<typeof useSelection>, 'onToggle'> {
  total: number | undefined;
}

function SelectionBar({ total, chosen, onChooseAll, onClear }: SelectionBarProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 py-3">
      <p role="status" className="grow font-semibold tabular-nums max-sm:w-full">
        {chosen.size} selected
      </p>
      <Button
        variant="quiet"
        disabled={!total}
        onClick={onChooseAll}
        className="px-2 tabular-nums max-sm:-ml-2"
      >
        Select All ({total ?? 0})
      </Button>
      <Button variant="quiet" onClick={onClear} className="px-2">
        Clear Selection
      </Button>
    </div>
  );
}

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

function useSelection(ids: string[]) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [lastToggled, setLastToggled] = useState<string>();
  return {
    chosen,
    onToggle: (id: string, isRange: boolean) => {
      setChosen(
        toggleRange(
          chosen,
          id,
          isRange && lastToggled ? idsBetween(ids, ids.indexOf(lastToggled), ids.indexOf(id)) : [id],
        ),
      );
      setLastToggled(id);
    },
    onChooseAll: () => setChosen(new Set(ids)),
    onClear: () => setChosen(new Set()),
  };
}

/** Sets a range to the toggled state of one id. */
function toggleRange(chosen: ReadonlySet<string>, id: string, range: string[]): ReadonlySet<string> {
  const toggled = new Set(chosen);
  for (const each of range) {
    if (chosen.has(id)) toggled.delete(each);
    else toggled.add(each);
  }
  return toggled;
}
