import { ContactRound, Copy } from 'lucide-react';
import { useRef } from 'react';
import { Button, buttonClasses } from '../../ui/buttons/button.tsx';
import { copyWithToast } from '../../ui/links/copy-link.ts';
import { CHECK_CONNECTION } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { QrCode } from '../../ui/links/qr-code.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { buildVCard } from './vcard.ts';
import { useResetInboundEmail } from './inbound-email-api.ts';

interface InboundEmailAddressProps {
  address: string;
  /** The product's number; null if the user cannot send SMS to it. */
  phoneNumber: string | null;
}

export function InboundEmailAddress({ address, phoneNumber }: InboundEmailAddressProps) {
  const paragraph = useRef<HTMLParagraphElement>(null);
  const askToReset = useAskToReset(address);
  const card = buildVCard({ email: address, phoneNumber });
  const reset = async () => {
    if (await askToReset()) paragraph.current?.focus();
  };

  return (
    <div className="flex flex-col gap-x-10 gap-y-6 sm:flex-row sm:items-start">
      <div className="min-w-0 flex-1">
        <p
          ref={paragraph}
          tabIndex={-1}
          className="text-lead font-semibold wrap-anywhere outline-none select-all"
        >
          <BreakingAddress address={address} />
        </p>
        <div className="mt-5 flex flex-col gap-3 sm:flex-row sm:flex-wrap">
          <Button variant="secondary" onClick={() => void copy(address)}>
            <Copy />
            Copy address
          </Button>
          <a
            href={`data:text/vcard;charset=utf-8,${encodeURIComponent(card)}`}
            download="mems-are-forever.vcf"
            className={buttonClasses({ variant: 'secondary' })}
          >
            <ContactRound />
            Save to contacts
          </a>
          <Button variant="quiet" className="sm:px-0" onClick={() => void reset()}>
            Reset address
          </Button>
        </div>
      </div>
      <figure className="flex flex-none items-center gap-4 sm:w-44 sm:flex-col sm:items-start sm:gap-3">
        <QrCode text={card} label="QR code with your address as a contact card" />
        <figcaption className="text-small text-muted">
          Scan it with your phone’s camera to save the address.
        </figcaption>
      </figure>
    </div>
  );
}

/** @returns a function that asks for confirmation and resets the address */
function useAskToReset(address: string) {
  const confirm = useConfirm();
  const { mutateAsync: reset } = useResetInboundEmail();
  return () =>
    confirm({
      title: 'Reset your address?',
      description: (
        <>
          <BreakingAddress address={address} /> will stop working right away, and photos sent to it will not
          arrive. You get a new address to save in its place.
        </>
      ),
      confirmText: 'Reset address',
      pendingText: 'Resetting...',
      errorToast: ['The address could not be reset', CHECK_CONNECTION],
      onConfirm: async () => {
        await reset();
        showSuccess('You have a new address', 'Save it in your contacts in place of the old one.');
      },
    });
}

/** Allows a line break before the @. */
function BreakingAddress({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  return (
    <>
      {address.slice(0, at)}
      <wbr />
      {address.slice(at)}
    </>
  );
}

function copy(address: string): Promise<void> {
  return copyWithToast(address, 'Address copied', [
    'The address could not be copied',
    'Select the address and copy it by hand.',
  ]);
}
