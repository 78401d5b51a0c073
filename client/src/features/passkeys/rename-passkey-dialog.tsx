import { RenamePasskeyRequest, type Passkey } from '#shared/accounts/passkey';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { useRenamePasskey } from './passkey-api.ts';

interface RenamePasskeyDialogProps {
  /** Null: closed. */
  passkey: Passkey | null;
  onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: RenamePasskeyDialogProps) {
  const lastPasskey = useLastValue(passkey);
  return (
    <Dialog isOpen={passkey !== null} onClose={onClose} title="Rename this passkey" className="sm:max-w-md">
      {lastPasskey && <RenameForm passkey={lastPasskey} onRenamed={onClose} />}
    </Dialog>
  );
}

function RenameForm({ passkey: { id, name }, onRenamed }: { passkey: Passkey; onRenamed: () => void }) {
  const { mutateAsync: rename } = useRenamePasskey();
  const { form, field } = useZodForm(RenamePasskeyRequest, { name });
  const save = async (request: RenamePasskeyRequest) => {
    await rename({ id, ...request });
    onRenamed();
  };
  return (
    <Form
      form={form}
      onSubmit={save}
      errorToast={['Not renamed']}
      isFieldErrorEnough
      className="mt-5 space-y-5"
    >
      <TextField label="Name" dir="auto" maxLength={60} autoFocus {...field('name')} />
      <SubmitButton className="w-full" pendingText="Saving...">
        Save
      </SubmitButton>
    </Form>
  );
}
