import { Copy, ExternalLink } from 'lucide-react';
import { CodeRequest, type TotpSetup } from '#shared/accounts/second-factor';
import { useLastValue } from '../../lib/use-last-value.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { CodeField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { QrCode } from '../../ui/links/qr-code.tsx';
import { copyWithToast } from '../../ui/links/copy-link.ts';
import { useConfirmTotp } from './second-factor-api.ts';

interface TotpSetupDialogProps {
  /** Null: closed. */
  setup: TotpSetup | null;
  onClose: () => void;
  onConfirmed: (recoveryCodes: string[]) => void;
}

export function TotpSetupDialog({ setup, onClose, onConfirmed }: TotpSetupDialogProps) {
  const lastSetup = useLastValue(setup);
  return (
    <Dialog
      isOpen={setup !== null}
      onClose={onClose}
      title="Set up your authenticator app"
      className="sm:max-w-xl"
      focusesItself
      isBusy
    >
      {lastSetup && (
        <div className="mt-5 space-y-6">
          <KeyStep setup={lastSetup} />
          <CodeForm
            onConfirmed={(codes) => {
              onClose();
              onConfirmed(codes);
            }}
          />
        </div>
      )}
    </Dialog>
  );
}

function KeyStep({ setup: { secret, uri } }: { setup: TotpSetup }) {
  return (
    <div className="flex flex-col gap-x-8 gap-y-5 sm:flex-row sm:items-start">
      <QrCode text={uri} label="QR code for your authenticator app" />
      <div className="min-w-0 space-y-4">
        <p>
          Scan this with an authenticator app, such as the one in your password manager, Aegis or Google
          Authenticator.
        </p>
        <div>
          <p className="text-small text-muted">Or enter this key by hand:</p>
          <p className="mt-1 font-mono text-body wrap-anywhere select-all">{toGroups(secret)}</p>
        </div>
        <div className="-ml-2 flex flex-wrap gap-x-2">
          <Button variant="quiet" size="small" onClick={() => void copyKey(secret)}>
            <Copy className="size-4" />
            Copy key
          </Button>
          <a href={uri} className={buttonClasses({ variant: 'quiet', size: 'small' })}>
            <ExternalLink className="size-4" />
            Open an app on this device
          </a>
        </div>
      </div>
    </div>
  );
}

function CodeForm({ onConfirmed }: { onConfirmed: (recoveryCodes: string[]) => void }) {
  const { mutateAsync: confirm } = useConfirmTotp();
  const { form, field } = useZodForm(CodeRequest, { code: '' });
  return (
    <Form
      form={form}
      onSubmit={async (request) => onConfirmed((await confirm(request)).codes)}
      errorToast={['Not set up']}
      isFieldErrorEnough
      className="space-y-5 border-t border-hairline pt-5"
    >
      <CodeField label="Code that the app shows now" {...field('code')} />
      <SubmitButton className="w-full" pendingText="Checking...">
        Turn on
      </SubmitButton>
    </Form>
  );
}

function toGroups(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ');
}

function copyKey(secret: string): Promise<void> {
  return copyWithToast(secret, 'Key copied', [
    'The key could not be copied',
    'Select it and copy it by hand.',
  ]);
}
