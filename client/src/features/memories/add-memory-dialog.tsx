import type { SubmitEvent } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import type { AddMemoryValues } from './add-memory-form.ts';

interface AddMemoryDialogProps {
  isOpen: boolean;
  onClose: () => void;
  /** The form is filled in; the photo comes next. */
  onUpload: () => void;
  form: UseFormReturn<AddMemoryValues>;
  /** Why the photo before could not be taken. */
  problem: string | null;
  /** What was written before the page was left is back. */
  isRestored: boolean;
  returnFocusTo: React.RefObject<HTMLElement | null>;
}

export function AddMemoryDialog({
  isOpen,
  onClose,
  onUpload,
  form,
  problem,
  isRestored,
  returnFocusTo,
}: AddMemoryDialogProps) {
  const { register, handleSubmit } = form;
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    // A date that is half typed has no value yet, and must not be taken for none.
    if (!hasHalfTyped(event.currentTarget)) return handleSubmit(onUpload)(event);
    event.preventDefault();
    form.setError('memoryDate', { message: 'Please enter a date that exists' }, { shouldFocus: true });
    return undefined;
  };
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add New Mems"
      description="Write what you want to remember; the photo comes next."
      className="sm:max-w-lg"
      returnFocusTo={returnFocusTo}
    >
      {problem && (
        <p role="alert" className="mt-5 border-l-2 border-danger pl-4">
          {problem}
        </p>
      )}
      {isRestored && (
        <p role="status" className="mt-5 border-l-2 border-sage pl-4 text-small">
          <strong className="block">Session restored</strong>
          What you wrote is still here. You can go on where you stopped.
        </p>
      )}
      <form onSubmit={submit} noValidate className="mt-6 space-y-5">
        <TextAreaField
          label="Caption"
          rows={3}
          dir="auto"
          placeholder="Share the story behind this moment..."
          {...register('caption')}
        />
        <TextField
          label="Tags"
          note="separated by commas"
          dir="auto"
          autoCapitalize="none"
          placeholder="e.g., summer, birthday, beach"
          {...register('tags')}
        />
        <MemoryDateFields form={form} />
        <Button type="submit" className="w-full">
          Upload Memory
        </Button>
      </form>
    </Dialog>
  );
}

function hasHalfTyped(form: HTMLFormElement): boolean {
  return [...form.elements].some((field) => field instanceof HTMLInputElement && field.validity.badInput);
}

function MemoryDateFields({ form: { register, formState } }: Pick<AddMemoryDialogProps, 'form'>) {
  return (
    <div className="grid grid-cols-[3fr_2fr] items-start gap-4">
      <TextField
        label="Memory Date"
        type="date"
        max="9999-12-31"
        error={formState.errors.memoryDate?.message}
        {...register('memoryDate')}
      />
      <TextField label="Time" note="optional" type="time" {...register('memoryTime')} />
    </div>
  );
}
