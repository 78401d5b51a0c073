import type { ReactNode } from 'react';
import { formatPhoneNumber } from '#shared/phone';
import { Button } from '../../ui/button.tsx';

/** How to add photos by SMS. Renders nothing if the product has no number. */
export function SmsInstructions({ productNumber }: { productNumber: string | null | undefined }) {
  if (!productNumber) return null;
  return (
    <section aria-labelledby="text-photos" className="space-y-4 border-y border-hairline py-8">
      <h2 id="text-photos" className="text-title">
        Text your photos
      </h2>
      <p>
        Send photos by picture message (MMS) to{' '}
        <a
          href={`sms:${productNumber}`}
          className="font-semibold whitespace-nowrap underline decoration-hairline decoration-2 underline-offset-4 hover:decoration-accent"
        >
          {formatPhoneNumber(productNumber)}
        </a>
        . Photos are added automatically.
      </p>
      <dl className="space-y-3">
        <div>
          <dt className="font-semibold">PetName: Caption</dt>
          <dd className="text-muted">For example “Rex: First snow”, with up to ten photos.</dd>
        </div>
        <div>
          <dt className="font-semibold">Just the photo</dt>
          <dd className="text-muted">It is added without a caption.</dd>
        </div>
      </dl>
    </section>
  );
}

interface VerifiedPhoneProps {
  phoneNumber: string;
  children: ReactNode;
  onChange: () => void;
  onRemove: () => void;
}

export function VerifiedPhone({ phoneNumber, children, onChange, onRemove }: VerifiedPhoneProps) {
  return (
    <div className="space-y-8">
      <p className="text-lead">
        Your number is{' '}
        <span className="font-semibold whitespace-nowrap">{formatPhoneNumber(phoneNumber)}</span>.
      </p>
      {children}
      <div className="flex flex-col gap-3 sm:flex-row">
        <Button variant="secondary" onClick={onChange}>
          Change number
        </Button>
        <Button variant="quiet" onClick={onRemove}>
          Remove number
        </Button>
      </div>
    </div>
  );
}
