import { useSearch } from 'wouter/use-browser-location';
import { OidcProblem } from '#shared/accounts/oidc';
import { classNames } from '../../lib/class-names.ts';
import { useOidcName } from './oidc-api.ts';

const TEXTS: Record<OidcProblem, (name: string) => string> = {
  cancelled: (name) => `You cancelled signing in with ${name}. Nothing has changed.`,
  expired: () => 'This sign-in took too long, or was used already. Please try again.',
  rejected: (name) => `We could not verify the answer from ${name}. Please try again.`,
  unavailable: (name) => `${name} is not responding. Please try again in a moment.`,
  taken: (name) => `This sign-in with ${name} is connected to another album.`,
};

/** Tells someone who came back from the provider without success what happened. */
export function OidcNotice({ className }: { className?: string }) {
  const name = useOidcName();
  const problem = OidcProblem.safeParse(new URLSearchParams(useSearch()).get('oidc'));
  if (name === null || !problem.success) return null;
  return (
    <p
      role="alert"
      className={classNames(
        'border-l-2 py-1 pl-5 wrap-anywhere',
        problem.data === 'cancelled' ? 'border-edge' : 'border-danger',
        className,
      )}
    >
      {TEXTS[problem.data](name)}
    </p>
  );
}
