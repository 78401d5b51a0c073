import { Trash2 } from 'lucide-react';
import * as z from 'zod/mini';
import type { User } from '#shared/accounts/user';
import { emailAddress } from '#shared/text/email-address';
import { fieldMessage } from '../../lib/api/api-client.ts';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { IconButton } from '../../ui/buttons/icon-button.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { EmailField } from '../../ui/forms/field.tsx';
import { Form, SubmitButton } from '../../ui/forms/form.tsx';
import { Skeleton } from '../../ui/loading/skeleton.tsx';
import { showError } from '../../ui/toasts/show-error.ts';
import { showSuccess, showToast } from '../../ui/toasts/toast-store.ts';
import { useAllowedSenders, useAllowSender, useDisallowSender } from './inbound-email-api.ts';

export function AllowedSendersSection({ user }: { user: User }) {
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
        <LoadError what="The allowed senders" onRetry={refetch} isRetrying={isFetching} />
      )}
    </section>
  );
}

function SenderList({ user, addresses }: { user: User; addresses: string[] }) {
  const { mutateAsync: disallow, isPending } = useDisallowSender();
  const remove = async (address: string) => {
    if (isPending) return;
    try {
      await disallow(address);
    } catch (error) {
      showError(error, 'Error', 'Failed to remove address');
      return;
    }
    showToast({ title: 'Address removed', description: `Photos from ${address} will now wait for your OK.` });
  };
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
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

const AllowSenderValues = z.object({ address: emailAddress() });

/** @param known the allowed addresses, in lower case */
function AllowSenderForm({ known }: { known: string[] }) {
  const { form, field } = useZodForm(AllowSenderValues, { address: '' });
  const { mutateAsync: allow } = useAllowSender();
  const showAtField = (message: string) => form.setError('address', { message }, { shouldFocus: true });
  const add = async ({ address }: z.infer<typeof AllowSenderValues>) => {
    if (known.includes(address.toLowerCase())) return showAtField('This address is already on the list');
    await allow(address);
    form.reset();
    showSuccess('Address added', `Photos from ${address} will go straight into your album.`);
  };
  const handleError = (error: unknown) => {
    const message = fieldMessage(error, 'addresses');
    if (message) showAtField(message);
    return message !== undefined;
  };
  return (
    <Form
      form={form}
      onSubmit={add}
      onError={handleError}
      errorToast={['Error', 'Failed to add address']}
      aria-label="Allow another sender"
      className="mt-6 grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <EmailField label="Email address" autoComplete="off" {...field('address')} />
      <SubmitButton variant="secondary" pendingText="Adding..." className="sm:mt-6.5">
        Allow sender
      </SubmitButton>
    </Form>
  );
}
