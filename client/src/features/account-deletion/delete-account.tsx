import { useState } from 'react';
import * as z from 'zod/mini';
import { DELETION_DELAY_DAYS, type User } from '#shared/accounts/user';
import { useZodForm } from '../../lib/use-zod-form.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { DialogForm } from '../../ui/dialogs/dialog-form.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { SettingsGroup, SettingsSection } from '../../ui/settings-section.tsx';
import { useSecondFactor } from '../second-factors/second-factor-api.ts';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { UsernameField } from '../users/user-fields.tsx';
import { EXPORT_ID } from '../exports/export-section.tsx';
import { useRequestDeletion } from '../sessions/sign-out-api.ts';

export function DeleteAccount({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <SettingsGroup title="Leaving">
      <SettingsSection
        title="Delete your account"
        note="With all your photos, pets, stories, contacts and shared links."
      >
        <p className="text-muted">
          Your album falls asleep first. You have {DELETION_DELAY_DAYS} days to change your mind: sign in, and
          everything is back. Would you like to keep your photos?{' '}
          <a href={`#${EXPORT_ID}`} className="underline">
            Export everything
          </a>{' '}
          first.
        </p>
        <Button variant="destructive" className="mt-5 max-sm:w-full" onClick={() => setOpen(true)}>
          Delete account
        </Button>
        <Dialog
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          title="Delete your account?"
          className="sm:max-w-lg"
        >
          <DeleteForm user={user} onClose={() => setOpen(false)} />
        </Dialog>
      </SettingsSection>
    </SettingsGroup>
  );
}

function DeleteForm({ user: { username }, onClose }: { user: User; onClose: () => void }) {
  const { mutateAsync: request } = useRequestDeletion();
  const withConfirmedIdentity = useConfirmedIdentity();
  const needsCode = Boolean(useSecondFactor().data?.totpSince);
  const schema = buildSchema(username, needsCode);
  const { form, field } = useZodForm(schema, { username: '', code: '' });
  return (
    <DialogForm
      form={form}
      onSubmit={({ username: typed, code }) =>
        withConfirmedIdentity(() => request({ username: typed, ...(code && { code }) }))
      }
      errorToast={['Not deleted']}
      isFieldErrorEnough
      action="Delete account"
      pendingText="Deleting..."
      isDestructive
      onCancel={onClose}
    >
      <ul className="list-disc space-y-2 pl-5 text-muted">
        <li>
          At once, you are signed out everywhere, your shared links close, your contacts get no more emails,
          and photos you text or email are rejected.
        </li>
        <li>For {DELETION_DELAY_DAYS} days, signing in brings everything back.</li>
        <li>After that, all of it is deleted, for good.</li>
      </ul>
      <p className="text-muted">
        To confirm, type your username: <strong className="wrap-anywhere text-ink">{username}</strong>
      </p>
      <UsernameField autoComplete="off" {...field('username')} />
      {/* The server asks for it if it could not be asked whether one is needed. */}
      {(needsCode || form.formState.errors.code) && (
        <TextField
          label="Code"
          note="of your authenticator app, or a recovery code"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          aria-required
          {...field('code')}
        />
      )}
    </DialogForm>
  );
}

const buildSchema = (username: string, needsCode: boolean) =>
  z.object({
    username: z.string().check(
      z.trim(),
      z.refine((typed) => typed === username, { error: 'This is not your username' }),
    ),
    code: z.string().check(
      z.trim(),
      z.refine((typed) => typed !== '' || !needsCode, { error: 'Please enter your code' }),
    ),
  });
