import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import * as z from 'zod/mini';
import { emailAddress } from '#shared/email-address';
import { EmailField } from '../../ui/account-fields.tsx';
import { Button } from '../../ui/button.tsx';
import { showFailure } from '../../ui/show-failure.ts';
import { showToast } from '../../ui/toast-store.ts';
import { fieldMessage } from '../../lib/api-client.ts';
import { fieldsOf } from '../../lib/fields-of.ts';
import { useAllowSender } from './allowed-sender-api.ts';

const AllowSenderWords = z.object({ address: emailAddress('Please enter a valid email address') });

/** @param known who may send already, in lower case */
export function AllowSenderForm({ known }: { known: string[] }) {
  const form = useForm({ resolver: zodResolver(AllowSenderWords), defaultValues: { address: '' } });
  const field = fieldsOf(form);
  const { isSubmitting } = form.formState;
  const { mutateAsync: allow } = useAllowSender();
  const add = form.handleSubmit(async ({ address }) => {
    if (known.includes(address.toLowerCase())) {
      form.setError('address', { message: 'This address is already on the list' }, { shouldFocus: true });
      return;
    }
    try {
      await allow(address);
    } catch (error) {
      const message = fieldMessage(error, 'addresses');
      if (message) form.setError('address', { message }, { shouldFocus: true });
      else showFailure(error, 'Error', 'Failed to add address');
      return;
    }
    form.reset();
    showToast({
      title: 'Address added',
      description: `Photos from ${address} will go straight into your album.`,
      variant: 'success',
    });
  });
  return (
    <form
      onSubmit={(event) => void add(event)}
      noValidate
      aria-label="Allow another sender"
      className="mt-6 grid items-start gap-3 sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <EmailField label="Email address" autoComplete="off" {...field('address')} />
      <Button
        type="submit"
        variant="secondary"
        isPending={isSubmitting}
        pendingText="Adding..."
        className="sm:mt-6.5"
      >
        Allow sender
      </Button>
    </form>
  );
}
