import { useId, useState, type ReactNode } from 'react';
import type { Contact } from '#shared/album/contact';
import type { Pet } from '#shared/album/pet';
import type { HeldMessage } from '#shared/transfers/inbound-email';
import { formatAge } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { SelectField } from '../../ui/forms/select-field.tsx';
import { Switch } from '../../ui/forms/switch.tsx';
import { toPetOption } from '../pets/species.ts';
import type { AcceptRequest } from './held-message-api.ts';
import { formatExpiry, formatPhotoCount, formatRecipients, formatSender } from './held-message-format.ts';
import { HeldMessagePhotos } from './held-message-photos.tsx';

interface HeldMessageReviewProps {
  message: HeldMessage;
  pets: Pet[];
  /** The contacts who get new photos by email. */
  recipients: Contact[];
  /** @returns an error message if the sender cannot be allowed */
  onAccept: (request: AcceptRequest) => Promise<string | undefined>;
  onDiscard: () => void;
}

export function HeldMessageReview({
  message,
  pets,
  recipients,
  onAccept,
  onDiscard,
}: HeldMessageReviewProps) {
  const id = useId();
  // Undefined: the server's rule, which also reads the email, applies.
  const [petId, setPetId] = useState<string>();
  const [emailContacts, setEmailContacts] = useState(message.isSenderAuthenticated);
  const [allowSender, setAllowSender] = useState(false);
  const [isAccepting, setAccepting] = useState(false);
  const [error, setError] = useState<string>();
  const accept = async () => {
    setAccepting(true);
    setError(
      await onAccept({
        id: message.id,
        allowSender,
        ...(petId !== undefined && { petId: petId || null }),
        ...(recipients.length > 0 && { emailContacts }),
      }),
    );
    setAccepting(false);
  };
  return (
    <article aria-labelledby={id} className="mt-4">
      <HeldMessagePhotos message={message} />
      <MessageSummary message={message} headingId={id} />
      <div className="mt-5 space-y-3 border-t border-hairline pt-5">
        {pets.length > 0 && (
          <SelectField
            label="Who is in it?"
            options={[{ value: '', name: 'None of my pets' }, ...pets.map(toPetOption)]}
            value={petId ?? message.petId ?? ''}
            onChange={(event) => setPetId(event.target.value)}
          />
        )}
        {recipients.length > 0 && (
          <SwitchRow isOn={emailContacts} onSwitch={setEmailContacts}>
            Email {message.photoCount === 1 ? 'it' : 'them'} to {formatRecipients(recipients)}
          </SwitchRow>
        )}
        {message.isSenderAuthenticated && (
          <SwitchRow
            isOn={allowSender}
            onSwitch={(isOn) => {
              setAllowSender(isOn);
              setError(undefined);
            }}
          >
            Always accept from this sender
          </SwitchRow>
        )}
        {error && (
          <p role="alert" className="text-small text-danger">
            {error}
          </p>
        )}
      </div>
      <div className="mt-5 flex gap-3 *:flex-1 sm:justify-end sm:*:flex-none">
        <Button variant="secondary" aria-describedby={id} onClick={() => !isAccepting && onDiscard()}>
          Discard
        </Button>
        <Button
          aria-describedby={id}
          // Ignore the second click of a double click: it would accept the next email.
          onClick={({ detail }) => detail < 2 && void accept()}
          isPending={isAccepting}
          pendingText="Accepting..."
        >
          Accept
        </Button>
      </div>
    </article>
  );
}

function MessageSummary({ message, headingId }: { message: HeldMessage; headingId: string }) {
  return (
    <>
      <h3
        id={headingId}
        className="mt-4 line-clamp-3 font-sans text-body font-semibold tracking-normal wrap-anywhere"
      >
        <bdi>{message.subject || 'No subject'}</bdi>
      </h3>
      <p className="line-clamp-3 wrap-anywhere">
        <bdi>{formatSender(message)}</bdi>
      </p>
      <p className="text-small text-muted tabular-nums">
        {formatPhotoCount(message)} ·{' '}
        <span className="whitespace-nowrap">{formatAge(message.createdAt)}</span> ·{' '}
        <span className="whitespace-nowrap">{formatExpiry(message)}</span>
      </p>
      {!message.isSenderAuthenticated && (
        <p className="mt-1 text-small text-danger">We could not verify this sender.</p>
      )}
    </>
  );
}

interface SwitchRowProps {
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
  children: ReactNode;
}

function SwitchRow({ isOn, onSwitch, children }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <label htmlFor={id} className="min-w-0 wrap-anywhere">
        {children}
      </label>
      <Switch id={id} checked={isOn} onCheckedChange={onSwitch} />
    </div>
  );
}
