import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { BACK_COOKIE } from '#shared/accounts/user';
import { IconButton } from '../../ui/buttons/icon-button.tsx';

/** After the sign-in that brought the account back. */
export function BackNotice() {
  const [isShown, setShown] = useState(() => document.cookie.includes(`${BACK_COOKIE}=`));
  useEffect(() => {
    document.cookie = `${BACK_COOKIE}=; Max-Age=0; Path=/`;
  }, []);
  if (!isShown) return null;
  return (
    <div className="mx-auto max-w-6xl px-5 pt-6 sm:px-8">
      <div role="status" className="flex h-11 items-center justify-between gap-2 border-l-2 border-sage pl-4">
        <p className="max-sm:text-small">
          <span className="font-semibold">Welcome back.</span> Your album is safe.
        </p>
        <IconButton name="Dismiss" onClick={() => setShown(false)}>
          <X className="size-5" />
        </IconButton>
      </div>
    </div>
  );
}
