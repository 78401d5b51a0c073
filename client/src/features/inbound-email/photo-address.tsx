import { ContactRound, Copy } from 'lucide-react';
import { useRef, useState } from 'react';
import { copyText } from '../../lib/hand-on.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { BreakingAddress } from './breaking-address.tsx';
import { contactCard } from './contact-card.ts';
import { QrCode } from './qr-code.tsx';
import { ResetAddressDialog } from './reset-address-dialog.tsx';

interface PhotoAddressProps {
  address: string;
  /** Where this account's texts go; null when it may send none. */
  phoneNumber: string | null;
}

/** The address, and the ways in which it gets into a phone. */
export function PhotoAddress({ address, phoneNumber }: PhotoAddressProps) {
  const [resetting, setResetting] = useState<{ address: string; isOpen: boolean } | null>(null);
  const shown = useRef<HTMLParagraphElement>(null);
  const returnFocusTo = useRef<HTMLElement>(null);
  const card = contactCard({ email: address, phoneNumber });
  const close = () => setResetting((now) => now && { ...now, isOpen: false });

  return (
    <div className="flex flex-col gap-x-10 gap-y-6 sm:flex-row sm:items-start">
      <div className="min-w-0 flex-1">
        <p
          ref={shown}
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
          <Button
            variant="quiet"
            className="sm:px-0"
            onClick={({ currentTarget }) => {
              returnFocusTo.current = currentTarget;
              setResetting({ address, isOpen: true });
            }}
          >
            Reset address
          </Button>
        </div>
      </div>
      <figure className="flex flex-none items-center gap-4 sm:w-44 sm:flex-col sm:items-start sm:gap-3">
        <QrCode
          text={card}
          label="QR code with your address as a contact card"
          className="size-32 flex-none rounded-print shadow-print sm:size-44"
        />
        <figcaption className="text-small text-muted">
          Scan it with your phone’s camera to save the address.
        </figcaption>
      </figure>
      {resetting && (
        <ResetAddressDialog
          address={resetting.address}
          isOpen={resetting.isOpen}
          onClose={close}
          onReset={() => {
            returnFocusTo.current = shown.current;
            close();
          }}
          returnFocusTo={returnFocusTo}
        />
      )}
    </div>
  );
}

async function copy(address: string): Promise<void> {
  try {
    await copyText(Promise.resolve(address));
    showToast({ title: 'Address copied', variant: 'success' });
  } catch {
    showToast({
      title: 'The address could not be copied',
      description: 'Select the address and copy it by hand.',
      variant: 'destructive',
    });
  }
}
