import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { MemoryFields } from './memory-fields.tsx';
import type { MemoryFormValues } from './memory-form.ts';

interface AddMemoryDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The form is filled in; the photo comes next. */
  onUpload: () => void;
  form: UseFormReturn<MemoryFormValues>;
  /** Why the photo before could not be taken. */
  problem: string | null;
  /** What was written before the page was left is back. */
  isRestored: boolean;
  /** For who would rather not fill in a form. */
  otherWays: ReactNode;
}

export function AddMemoryDialog({
  isOpen,
  onClose,
  onUpload,
  form,
  problem,
  isRestored,
  otherWays,
}: AddMemoryDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add New Mems"
      description="Add a few words now. You choose the photo next."
      className="sm:max-w-lg"
    >
      {problem && (
        <p role="alert" className="mt-5 border-l-2 border-danger pl-4">
          {problem}
        </p>
      )}
      {isRestored && (
        <p role="status" className="mt-5 border-l-2 border-sage pl-4 text-small">
          <strong className="block">Session restored</strong>
          Your text is still here. You can pick up where you left off.
        </p>
      )}
      <form onSubmit={form.handleSubmit(onUpload)} noValidate className="mt-6 space-y-5">
        <MemoryFields form={form} noPet="Select a pet (optional)" />
        <Button type="submit" className="w-full">
          Upload Memory
        </Button>
      </form>
      <div className="mt-2">{otherWays}</div>
    </Dialog>
  );
}
