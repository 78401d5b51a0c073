import { CalendarHeart, Images, PawPrint } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useHistoryState, useSearch } from 'wouter/use-browser-location';
import type { StreamEnd } from '#shared/api/event';
import { DISABLED_ACCOUNT } from '#shared/accounts/user';
import { useAppConfig, useRegistration } from '../../features/app-config/app-config-api.ts';
import { useInvitationPreview } from '../../features/invitations/invitation-api.ts';
import { SignInForm, SignUpForm, type SignUpFormProps } from '../../features/sessions/auth-forms.tsx';
import { isCodeStep } from '../../features/sessions/sign-in-step.ts';
import { RegistrationNote } from '../../features/sessions/registration-note.tsx';
import { isNotFound } from '../../lib/api/api-client.ts';
import { loadLater } from '../../lib/routing/load-later.tsx';
import { usePageTitle } from '../../lib/routing/use-page-title.ts';
import { ErrorNotice } from '../../ui/error-notice.tsx';
import { LoadingScreen } from '../../ui/loading/loading-screen.tsx';
import { Tabs } from '../../ui/tabs.tsx';

const SignInCodeForm = loadLater(
  async () => (await import('../../features/sessions/sign-in-code-form.tsx')).SignInCodeForm,
);

const OidcNotice = loadLater(async () => (await import('../../features/oidc/oidc-notice.tsx')).OidcNotice);

const LoadedOidcButton = loadLater(
  async () => (await import('../../features/oidc/oidc-button.tsx')).OidcButton,
  <div className="mt-3 h-11" />,
);

const features = [
  { Icon: Images, text: 'Upload photos and memories' },
  { Icon: PawPrint, text: 'Organize by pets and dates' },
  { Icon: CalendarHeart, text: 'Create lasting memory timelines' },
];

const tabs = {
  'sign-in': { page: 'Sign in', heading: 'Open your album' },
  'sign-up': { page: 'Sign up', heading: 'Start your album' },
};

const ENDED: Record<NonNullable<StreamEnd['reason']>, string> = {
  disabled: DISABLED_ACCOUNT,
  asleep:
    'This album is asleep now. We sent you an email with the day on which it will be deleted. Sign in before then, and everything is back.',
};

export function AuthPage() {
  // `invite` is the token of an invitation's link, `ended` why the session ended; `step` is code after another service.
  const params = new URLSearchParams(useSearch());
  const token = params.get('invite') ?? '';
  const ended = new Map(Object.entries(ENDED)).get(params.get('ended') ?? '');
  const state = useHistoryState<unknown>();
  const registration = useRegistration();
  const { data: invitation, error, isFetching, refetch } = useInvitationPreview(token);
  if (!registration || (token && !invitation && !error)) return <LoadingScreen isPage />;
  return (
    <div className="mx-auto grid max-w-5xl gap-x-20 gap-y-14 px-5 py-8 sm:px-8 lg:grid-cols-2 lg:items-start lg:py-20">
      <div className="mx-auto w-full max-w-md">
        {isCodeStep(state) || params.get('step') === 'code' ? (
          <SignInCodeForm />
        ) : invitation ? (
          <SignInOrUp key={token} invitation={{ token, ...invitation }} />
        ) : (
          <>
            {params.has('oidc') && <OidcNotice className="mb-8" />}
            {ended && <Notice>{ended}</Notice>}
            {isNotFound(error) && <Notice>This invitation is no longer valid. Ask for a new one.</Notice>}
            {error && !isNotFound(error) && (
              <div className="mb-8">
                <ErrorNotice onRetry={() => void refetch()} isRetrying={isFetching}>
                  Your invitation could not be opened. Please check your connection and try again.
                </ErrorNotice>
              </div>
            )}
            {registration === 'open' ? (
              <SignInOrUp />
            ) : (
              <SignIn>
                <RegistrationNote
                  registration={registration}
                  className="mt-6 border-t border-hairline pt-6 text-pretty text-muted"
                />
              </SignIn>
            )}
          </>
        )}
      </div>
      <aside className="mx-auto w-full max-w-md border-t border-hairline pt-10 lg:border-t-0 lg:border-l lg:pt-0 lg:pl-16">
        <h2 className="text-display">Cherish Every Moment</h2>
        <ul className="mt-8 space-y-5 text-lead">
          {features.map(({ Icon, text }) => (
            <li key={text} className="flex items-center gap-4">
              <Icon className="size-6 shrink-0 text-accent" />
              {text}
            </li>
          ))}
        </ul>
      </aside>
    </div>
  );
}

function SignInOrUp({ invitation }: SignUpFormProps) {
  // The landing page's 'Get Started' asks for the sign-up tab.
  const state = useHistoryState<{ tab?: 'sign-up' } | null>();
  const [tab, setTab] = useState<keyof typeof tabs>(invitation ? 'sign-up' : (state?.tab ?? 'sign-in'));
  usePageTitle(tabs[tab].page);
  return (
    <>
      <h1 className="mb-6 text-title">{tabs[tab].heading}</h1>
      {invitation && (
        <p className="-mt-3 mb-6 text-muted">
          {invitation.isForAdministrator
            ? 'This link makes one account the administrator: a new one, or yours if you sign in.'
            : 'You’re invited. Choose a name and a password, and the first page is yours.'}
        </p>
      )}
      <Tabs
        label="Sign in or sign up"
        tab={tab}
        onChoose={setTab}
        tabs={[
          {
            name: 'sign-in',
            title: 'Sign In',
            content: (
              <>
                <SignInForm />
                <OidcButton />
              </>
            ),
          },
          { name: 'sign-up', title: 'Sign Up', content: <SignUpForm invitation={invitation} /> },
        ]}
      />
    </>
  );
}

function SignIn({ children }: { children: ReactNode }) {
  usePageTitle(tabs['sign-in'].page);
  return (
    <>
      <h1 className="mb-6 text-title">{tabs['sign-in'].heading}</h1>
      <SignInForm />
      <OidcButton />
      {children}
    </>
  );
}

/** Without a provider, its code is not needed. */
function OidcButton() {
  return useAppConfig().data?.oidcName ? <LoadedOidcButton /> : null;
}

function Notice({ children }: { children: ReactNode }) {
  return (
    <p role="alert" className="mb-8 border-l-2 border-danger py-1 pl-5">
      {children}
    </p>
  );
}
