import { useState, type ReactNode } from 'react';
import { useForm } from 'react-hook-form';
import { INVALID_DATE, isCalendarDate } from '#shared/dates/calendar-date';
import { parseTags } from '#shared/text/tags';
import { useLastValue } from '../../../lib/use-last-value.ts';
import { Dialog } from '../../../ui/dialogs/dialog.tsx';
import { DialogForm } from '../../../ui/dialogs/dialog-form.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { SelectField } from '../../../ui/forms/select-field.tsx';
import { usePets } from '../../pets/pet-api.ts';
import { toPetOption } from '../../pets/species.ts';
import { countMemories, type BulkChanges } from './use-bulk-changes.ts';

export type BulkField = 'pet' | 'tags' | 'date';

const TITLES = { pet: 'Choose a pet', tags: 'Add tags', date: 'Set the date' };

interface BulkChangeDialogProps {
  field: BulkField | null;
  count: number;
  onClose: () => void;
  onChange: (changes: BulkChanges) => void;
}

export function BulkChangeDialog({ field, count, onClose, onChange }: BulkChangeDialogProps) {
  const lastField = useLastValue(field) ?? 'pet';
  const forms: Record<BulkField, ReactNode> = {
    pet: <PetForm onClose={onClose} onChange={onChange} />,
    tags: <TagsForm onClose={onClose} onChange={onChange} />,
    date: <DateForm onClose={onClose} onChange={onChange} />,
  };
  return (
    <Dialog
      isOpen={field !== null}
      onClose={onClose}
      title={TITLES[lastField]}
      description={`For ${countMemories(count)}.`}
      className="sm:max-w-md"
    >
      {forms[lastField]}
    </Dialog>
  );
}

type FormProps = Pick<BulkChangeDialogProps, 'onClose' | 'onChange'>;

function PetForm({ onClose, onChange }: FormProps) {
  const { data: pets = [] } = usePets();
  const [petId, setPetId] = useState('');
  return (
    <BulkForm action="Set pet" onCancel={onClose} onSubmit={() => onChange({ petId: petId || null })}>
      <SelectField
        label="Pet"
        autoFocus
        options={[{ value: '', name: 'No pet' }, ...pets.map(toPetOption)]}
        value={petId}
        onChange={(event) => setPetId(event.target.value)}
      />
    </BulkForm>
  );
}

function TagsForm({ onClose, onChange }: FormProps) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const submit = () => {
    const addTags = parseTags(text);
    if (addTags.length > 0) onChange({ addTags });
    else setError('Please enter a tag');
  };
  return (
    <BulkForm action="Add tags" onCancel={onClose} onSubmit={submit}>
      <TextField
        label="Tags"
        note="separated by commas"
        dir="auto"
        autoCapitalize="none"
        autoFocus
        placeholder="e.g., summer, birthday, beach"
        error={error}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </BulkForm>
  );
}

function DateForm({ onClose, onChange }: FormProps) {
  const [day, setDay] = useState('');
  const [error, setError] = useState<string>();
  const submit = () => {
    if (isCalendarDate(day)) onChange({ memoryDate: day });
    else setError(INVALID_DATE);
  };
  return (
    <BulkForm action="Set date" onCancel={onClose} onSubmit={submit}>
      <TextField
        label="Memory Date"
        type="date"
        max="9999-12-31"
        autoFocus
        error={error}
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <p className="text-small text-muted">The time of day stays the same.</p>
    </BulkForm>
  );
}

function BulkForm({
  action,
  onCancel,
  onSubmit,
  children,
}: {
  action: string;
  onCancel: () => void;
  onSubmit: () => void;
  children: ReactNode;
}) {
  const form = useForm();
  return (
    <DialogForm form={form} onSubmit={onSubmit} action={action} pendingText={action} onCancel={onCancel}>
      {children}
    </DialogForm>
  );
}
