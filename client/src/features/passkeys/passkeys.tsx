import { KeyRound, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import type { Passkey } from '#shared/accounts/passkey';
import { formatCalendarAge, formatShortDate } from '../../lib/dates.ts';
import { Button } from '../../ui/buttons/button.tsx';
import { useConfirm } from '../../ui/dialogs/use-confirm.tsx';
import { LoadError } from '../../ui/error-notice.tsx';
import { ListSkeleton } from '../../ui/loading/skeleton.tsx';
import { CHECK_CONNECTION, showError } from '../../ui/toasts/show-error.ts';
import { showSuccess } from '../../ui/toasts/toast-store.ts';
import { useAppConfig } from '../app-config/app-config-api.ts';
import { useConfirmedIdentity } from '../users/use-confirmed-identity.ts';
import { useAddPasskey, usePasskeys, useRemovePasskey } from './passkey-api.ts';
import { PasskeyError, usePasskeyObstacle, type PasskeyObstacle } from './passkey-support.ts';
import { RenamePasskeyDialog } from './rename-passkey-dialog.tsx';

/** The user's passkeys, with buttons to add, rename and remove them. */
export function Passkeys() {
  const { data: passkeys, isPending, isFetching, refetch } = usePasskeys();
  const obstacle = usePasskeyObstacle();
  const [renamed, setRenamed] = useState<Passkey | null>(null);
  const addButton = useRef<HTMLButtonElement>(null);
  const { add, isAdding } = useAdd();
  const remove = useRemove(() => addButton.current?.focus());
  if (isPending) return <ListSkeleton label="Loading your passkeys" />;
  if (!passkeys) return <LoadError what="Your passkeys" onRetry={refetch} isRetrying={isFetching} />;
  return (
    <div className="space-y-5">
      {passkeys.length === 0 && obstacle === null && (
        <p className="text-muted">
          You have none yet. Your phone, computer or password manager can keep one for you.
        </p>
      )}
      {passkeys.length > 0 && (
        <ul className="-mt-4 divide-y divide-hairline">
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              onRename={() => setRenamed(passkey)}
              onRemove={() => void remove(passkey)}
            />
          ))}
        </ul>
      )}
      {obstacle && <Obstacle obstacle={obstacle} />}
      {obstacle === null && (
        <Button
          ref={addButton}
          variant="secondary"
          className="max-sm:w-full"
          onClick={() => void add()}
          isPending={isAdding}
          pendingText="Waiting for your device..."
        >
          <Plus />
          Add a passkey
        </Button>
      )}
      <RenamePasskeyDialog passkey={renamed} onClose={() => setRenamed(null)} />
    </div>
  );
}

interface PasskeyRowProps {
  passkey: Passkey;
  onRename: () => void;
  onRemove: () => void;
}

function PasskeyRow({ passkey: { name, createdAt, lastUsedAt }, onRename, onRemove }: PasskeyRowProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 py-4">
      <KeyRound className="size-5 shrink-0 text-muted" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold wrap-anywhere" dir="auto">
          {name}
        </p>
        <p className="text-small text-muted">
          Added <time dateTime={createdAt}>{formatShortDate(createdAt)}</time>
          {' · '}
          {lastUsedAt ? (
            <>
              last used <time dateTime={lastUsedAt}>{formatCalendarAge(lastUsedAt).toLowerCase()}</time>
            </>
          ) : (
            'not used yet'
          )}
        </p>
      </div>
      <div className="flex gap-x-2 max-sm:ml-7 max-sm:basis-full sm:-mr-2">
        <Button variant="quiet" size="small" aria-label={`Rename ${name}`} onClick={onRename}>
          Rename
        </Button>
        <Button variant="quiet" size="small" aria-label={`Remove ${name}`} onClick={onRemove}>
          Remove
        </Button>
      </div>
    </li>
  );
}

function Obstacle({ obstacle }: { obstacle: PasskeyObstacle }) {
  const { data } = useAppConfig();
  const origin = data?.passkeyOrigin ?? '';
  return (
    <p className="border-l-2 border-edge py-1 pl-5 text-muted">
      {obstacle === 'browser' &&
        'This browser can’t use passkeys. A current Chrome, Edge, Firefox or Safari can.'}
      {obstacle === 'no-secure-address' &&
        'Passkeys need a secure address with a name, such as https://album.example. This album has none yet. The person who runs it can set one up.'}
      {obstacle === 'other-address' && (
        <>
          Passkeys work at{' '}
          <a href={`${origin}/account`} className="wrap-anywhere underline">
            {origin}
          </a>{' '}
          only. Open your album there to add or use one.
        </>
      )}
    </p>
  );
}

function useAdd() {
  const withConfirmedIdentity = useConfirmedIdentity();
  const { mutateAsync: store } = useAddPasskey();
  const [isAdding, setAdding] = useState(false);
  const add = async () => {
    setAdding(true);
    try {
      const { createPasskey, requestCreationOptions } = await import('./passkey-ceremonies.ts');
      const { name } = await store(await createPasskey(await withConfirmedIdentity(requestCreationOptions)));
      showSuccess('Passkey added', `It is called “${name}”.`);
    } catch (error) {
      const reason = error instanceof PasskeyError ? error.message : CHECK_CONNECTION;
      showError(error, 'No passkey was added', reason);
    }
    setAdding(false);
  };
  return { add, isAdding };
}

function useRemove(onRemoved: () => void) {
  const confirm = useConfirm();
  const withConfirmedIdentity = useConfirmedIdentity();
  const { mutateAsync: remove } = useRemovePasskey();
  return async ({ id, name }: Passkey) => {
    const isRemoved = await confirm({
      title: 'Remove this passkey?',
      description: `“${name}” will no longer open your album. Remove it from your device or password manager, too.`,
      confirmText: 'Remove',
      pendingText: 'Removing...',
      errorToast: ['The passkey could not be removed', CHECK_CONNECTION],
      onConfirm: async () => {
        await withConfirmedIdentity(() => remove(id));
        showSuccess('Passkey removed');
      },
    });
    if (isRemoved) onRemoved();
  };
}
