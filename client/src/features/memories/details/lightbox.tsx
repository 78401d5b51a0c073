import { X, ZoomIn, ZoomOut } from 'lucide-react';
import * as RadixDialog from 'radix-ui/dialog';
import { classNames } from '../../../lib/class-names.ts';
import { closedByEscape } from '../../../ui/dialogs/dialog.tsx';
import { returnFocus } from '../../../ui/focus.ts';
import { IconButton } from '../../../ui/buttons/icon-button.tsx';
import { useImageDescription } from '../memory-text.ts';
import { PreviousNextButtons } from './previous-next-buttons.tsx';
import type { MemoryDialogProps } from './use-memory-dialog.ts';
import { usePhotoSwipe } from './use-photo-swipe.ts';

export function Lightbox({ isOpen, onClose, ...props }: MemoryDialogProps) {
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={returnFocus}
          className="lightbox fixed inset-0 z-40 overflow-hidden bg-paper text-ink outline-none data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
        >
          <Stage {...props} onClose={onClose} />
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function Stage({ onClose, ...props }: Omit<MemoryDialogProps, 'isOpen'>) {
  const { memory, onPrevious, onNext } = props;
  const description = useImageDescription(memory);
  const { stage, isZoomed, swiper } = usePhotoSwipe({ ...props, description, onClose });
  return (
    <>
      <div ref={stage} className="absolute inset-0" />
      <header className="pointer-events-none absolute inset-x-0 top-0 flex h-14 items-center gap-2 pr-2 pl-5">
        <RadixDialog.Title
          dir="auto"
          className={classNames(
            'min-w-0 flex-1 truncate font-display text-body font-medium transition-opacity duration-150',
            isZoomed && 'opacity-0',
          )}
        >
          {description}
        </RadixDialog.Title>
        <IconButton
          name={isZoomed ? 'Zoom out' : 'Zoom in'}
          aria-keyshortcuts="Z"
          tone="overlay"
          onClick={() => swiper.current?.toggleZoom()}
        >
          {isZoomed ? <ZoomOut /> : <ZoomIn />}
        </IconButton>
        <RadixDialog.Close {...closedByEscape} asChild>
          <IconButton name="Close full screen" tone="overlay">
            <X />
          </IconButton>
        </RadixDialog.Close>
      </header>
      <PreviousNextButtons
        noun="photo"
        onPrevious={onPrevious && (() => swiper.current?.prev())}
        onNext={onNext && (() => swiper.current?.next())}
        tone="overlay"
        className="pointer-events-none absolute inset-x-2 bottom-2 flex items-center justify-between pb-[env(safe-area-inset-bottom)] sm:inset-y-0"
      />
      <p role="status" className="sr-only">
        {description}
      </p>
    </>
  );
}
