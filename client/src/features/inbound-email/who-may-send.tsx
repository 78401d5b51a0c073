import { Trash2 } from 'lucide-react';
import { useRef } from 'react';
import type { User } from '#shared/user';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { AllowSenderForm } from './allow-sender-form.tsx';
import { useAllowedSenders, useDisallowSender } from './allowed-sender-api.ts';

/** Whose photos go straight into the album, and more of them. */
export function WhoMaySend({ user }: { user: User }) {
  const { data: addresses, isPending, isFetching, refetch } = useAllowedSenders();
  return (
    <section aria-labelledby="allowed-senders">
      <h3 id="allowed-senders" className="text-lead">
        Who may send
      </h3>
      <p className="mt-1 mb-5 text-small text-muted">
        Photos from these senders go straight into your album. Photos from anyone else wait in your gallery
        for your OK.
      </p>
      {isPending ? (
        <div role="status" aria-label="Loading allowed senders">
          <Skeleton className="h-30" />
        </div>
      ) : addresses ? (
        <>
          <SenderList user={user} addresses={addresses} />
          <AllowSenderForm known={[user.email.toLowerCase(), ...addresses]} />
        </>
      ) : (
        <FailureNotice onRetry={() => void refetch()} isRetrying={isFetching}>
          The allowed senders could not be loaded. Please check your connection and try again.
        </FailureNotice>
      )}
    </section>
  );
}

function SenderList({ user, addresses }: { user: User; addresses: string[] }) {
  const list = useRef<HTMLUListElement>(null);
  const { mutateAsync: disallow, isPending } = useDisallowSender();
  const remove = async (address: string) => {
    if (isPending) return;
    // The row that takes its place, else the one before it: the owner's own is always there.
    const index = addresses.indexOf(address);
    const neighbor = list.current?.children[index + 2] ?? list.current?.children[index];
    try {
      await disallow(address);
    } catch (error) {
      showFailure(error, 'Error', 'Failed to remove address');
      return;
    }
    if (neighbor instanceof HTMLElement) neighbor.focus();
    showToast({ title: 'Address removed', description: `Photos from ${address} will now wait for your OK.` });
  };
  return (
    <ul ref={list} className="divide-y divide-hairline border-y border-hairline">
      <li tabIndex={-1} className="py-3 outline-none">
        <span className="wrap-anywhere">{user.email}</span>{' '}
        <span className="text-small text-muted">
          {user.emailVerified ? '(you)' : '(you, once this address is confirmed)'}
        </span>
      </li>
      {addresses.map((address) => (
        <li key={address} tabIndex={-1} className="flex items-center gap-4 py-0.5 outline-none">
          <span className="min-w-0 flex-1 py-2.5 wrap-anywhere">{address}</span>
          <IconButton name={`Remove ${address}`} tone="danger" onClick={() => void remove(address)}>
            <Trash2 />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
