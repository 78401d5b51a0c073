import type { ReactNode } from 'react';
import { formatPhoneNumber } from '#shared/text/phone';
import { Button } from '../../ui/buttons/button.tsx';

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
