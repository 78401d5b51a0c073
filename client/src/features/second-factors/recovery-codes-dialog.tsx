import { Copy, Download, Printer } from 'lucide-react';
import { useLastValue } from '../../lib/use-last-value.ts';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { copyWithToast } from '../../ui/links/copy-link.ts';

interface RecoveryCodesDialogProps {
  /** Null: closed. */
  codes: string[] | null;
  email: string;
  onClose: () => void;
}

/** Shows the codes once. Only its button closes it, so that they are not lost by accident. */
export function RecoveryCodesDialog({ codes, email, onClose }: RecoveryCodesDialogProps) {
  const lastCodes = useLastValue(codes);
  const text = toText(lastCodes ?? [], email);
  return (
    <Dialog
      isOpen={codes !== null}
      onClose={() => undefined}
      title="Save your recovery codes"
      description="If you lose your phone, each of these signs you in once. They are shown only now."
      className="sm:max-w-lg"
      focusesItself
      isBusy
      hasOwnClose
    >
      <div data-print>
        <p className="hidden print:block">Mems Are Forever: recovery codes for {email}</p>
        <ol aria-label="Recovery codes" className="mt-5 grid grid-cols-2 gap-x-6 gap-y-2 font-mono text-body">
          {lastCodes?.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ol>
      </div>
      <div className="mt-5 -ml-2 flex flex-wrap gap-x-2">
        <Button variant="quiet" size="small" onClick={() => void copyCodes(text)}>
          <Copy className="size-4" />
          Copy
        </Button>
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="mems-are-forever-recovery-codes.txt"
          className={buttonClasses({ variant: 'quiet', size: 'small' })}
        >
          <Download className="size-4" />
          Download
        </a>
        <Button variant="quiet" size="small" onClick={() => window.print()}>
          <Printer className="size-4" />
          Print
        </Button>
      </div>
      <Button className="mt-6 w-full" onClick={onClose}>
        I have saved them
      </Button>
    </Dialog>
  );
}

function toText(codes: string[], email: string): string {
  return [`Mems Are Forever: recovery codes for ${email}`, 'Each works once.', '', ...codes, ''].join('\n');
}

function copyCodes(text: string): Promise<void> {
  return copyWithToast(text, 'Recovery codes copied', [
    'The codes could not be copied',
    'Select them and copy them by hand, or download them.',
  ]);
}
