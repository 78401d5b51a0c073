import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { RenamePasskeyRequest, type Passkey } from '#shared/passkey';
import { bindFields, showFieldErrors } from '../../lib/form-fields.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { showError } from '../../ui/show-error.ts';
import { useRenamePasskey } from './passkey-api.ts';

interface RenamePasskeyDialogProps {
  /** Null: closed. */
  passkey: Passkey | null;
  onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  // Kept during the closing animation.
  const [shown, setShown] = useState(passkey);
  if (passkey && passkey !== shown) setShown(passkey);
  return (
    <Dialog isOpen={passkey !== null} onClose={onClose} title="Rename this passkey" className="sm:max-w-md">
      {shown && <RenameForm passkey={shown} onRenamed={onClose} />}
    </Dialog>
  );
}

function RenameForm({ passkey: { id, name }, onRenamed }: { passkey: Passkey; onRenamed: () => void }) {
  const { mutateAsync: rename } = useRenamePasskey();
  const form = useForm({ resolver: zodResolver(RenamePasskeyRequest), defaultValues: { name } });
  const save = form.handleSubmit(async (request) => {
    try {
      await rename({ id, ...request });
    } catch (error) {
      if (!showFieldErrors(error, form))
        showError(error, 'Not renamed', 'Please check your connection and try again.');
      return;
    }
    onRenamed();
  });
  return (
    <form onSubmit={(event) => void save(event)} noValidate className="mt-5 space-y-5">
      <TextField label="Name" dir="auto" maxLength={60} autoFocus {...bindFields(form)('name')} />
      <Button
        type="submit"
        className="w-full"
        isPending={form.formState.isSubmitting}
        pendingText="Saving..."
      >
        Save
      </Button>
    </form>
  );
}
