import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { FlipbookPicker } from './flipbook-picker.tsx';

interface CreateFlipbookProps {
  /** Which memories there are to choose from. */
  filters: { q: string; petId: string };
  /** Someone begins to choose: what opens the book may be fetched. */
  onBegin: () => void;
  onCreated: (bookId: string) => void;
}

/** The way from the gallery to a book. On a tablet's width its picture alone. */
export function CreateFlipbook({ filters, onBegin, onCreated }: CreateFlipbookProps) {
  const [isOpen, setOpen] = useState(false);
  const open = () => {
    onBegin();
    setOpen(true);
  };
  return (
    <>
      <Button
        variant="secondary"
        aria-haspopup="dialog"
        onClick={open}
        className="max-sm:w-full sm:max-lg:size-11 sm:max-lg:p-0"
      >
        <BookOpen />
        <span className="sm:max-lg:sr-only">Create Flipbook</span>
      </Button>
      <FlipbookPicker
        isOpen={isOpen}
        filters={filters}
        onClose={() => setOpen(false)}
        onCreated={onCreated}
      />
    </>
  );
}
