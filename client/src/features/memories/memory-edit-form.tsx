import { useForm } from 'react-hook-form';
import { Button } from '../../ui/button.tsx';
import { TextAreaField, TextField } from '../../ui/field.tsx';
import type { MemoryWords } from './memory-changes.ts';

interface MemoryEditFormProps {
  words: MemoryWords;
  onSave: (words: MemoryWords) => void;
  onCancel: () => void;
}

export function MemoryEditForm({ words, onSave, onCancel }: MemoryEditFormProps) {
  const { register, handleSubmit } = useForm<MemoryWords>({ defaultValues: words });
  return (
    <form onSubmit={handleSubmit(onSave)} noValidate className="space-y-5">
      <TextAreaField label="Caption" rows={5} dir="auto" autoFocus {...register('caption')} />
      <TextField
        label="Tags"
        note="separated by commas"
        dir="auto"
        autoCapitalize="none"
        placeholder="e.g., summer, birthday, beach"
        {...register('tags')}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit">Save</Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
