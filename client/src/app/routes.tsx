import { lazy, Suspense, useEffect, type FunctionComponent } from 'react';
import { Redirect, Route, Switch } from 'wouter';
import { useSearch } from 'wouter/use-browser-location';
import type { User } from '#shared/accounts/user';
import { isKnownVisitor, useUser } from '../features/users/current-user.ts';
import { paths } from '../lib/routing/paths.ts';
import { LoadingScreen } from '../ui/loading/loading-screen.tsx';
import { redirectToSignIn } from './redirect-to-sign-in.ts';
import { PageLayout } from './page-layout.tsx';
import { PublicHeader } from './public-header.tsx';
import { UnreachableScreen } from './unreachable-screen.tsx';

function page<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, FunctionComponent<Props>>>,
  name: Name,
  path?: string,
) {
  // The first page, without waiting for the user's response.
  if (path === window.location.pathname) void load().catch(() => undefined);
  return lazy(async () => ({ default: (await load())[name] }));
}

const loadHeader = () => import('./signed-in-header.tsx');
if (!isKnownVisitor()) void loadHeader().catch(() => undefined);
const SignedInHeader = lazy(async () => ({ default: (await loadHeader()).SignedInHeader }));
const HomePage = page(() => import('../pages/album/home-page.tsx'), 'HomePage');
const LandingPage = page(() => import('../pages/landing-page.tsx'), 'LandingPage');
const AuthPage = page(() => import('../pages/sign-in/auth-page.tsx'), 'AuthPage', paths.auth);
const PetsPage = page(() => import('../pages/album/pets-page.tsx'), 'PetsPage', paths.pets);
const GalleryPage = page(() => import('../pages/album/gallery-page.tsx'), 'GalleryPage', paths.gallery);
const AddManyPage = page(() => import('../pages/album/add-many-page.tsx'), 'AddManyPage', paths.addMany);
const RecentlyDeletedPage = page(
  () => import('../pages/album/recently-deleted-page.tsx'),
  'RecentlyDeletedPage',
);
const TimelinePage = page(() => import('../pages/album/timeline-page.tsx'), 'TimelinePage', paths.timeline);
const ContactsPage = page(() => import('../pages/album/contacts-page.tsx'), 'ContactsPage');
const AccountPage = page(() => import('../pages/account/account-page.tsx'), 'AccountPage');
const ConnectSignInPage = page(
  () => import('../pages/account/connect-sign-in-page.tsx'),
  'ConnectSignInPage',
);
const BecomeAdministratorPage = page(
  () => import('../pages/emailed-links/become-administrator-page.tsx'),
  'BecomeAdministratorPage',
);
const AdminPage = page(() => import('../pages/account/admin-page.tsx'), 'AdminPage');
const ForgotPasswordPage = page(
  () => import('../pages/sign-in/forgot-password-page.tsx'),
  'ForgotPasswordPage',
);
const ResetPasswordPage = page(
  () => import('../pages/emailed-links/reset-password-page.tsx'),
  'ResetPasswordPage',
);
const VerifyEmailPage = page(() => import('../pages/emailed-links/verify-email-page.tsx'), 'VerifyEmailPage');
const NotMePage = page(() => import('../pages/emailed-links/not-me-page.tsx'), 'NotMePage');
const StartAgainPage = page(() => import('../pages/emailed-links/start-again-page.tsx'), 'StartAgainPage');
const ConfirmEmailPage = page(
  () => import('../pages/emailed-links/confirm-email-page.tsx'),
  'ConfirmEmailPage',
);
const SecureAccountPage = page(
  () => import('../pages/emailed-links/secure-account-page.tsx'),
  'SecureAccountPage',
);
const UndoEmailPage = page(() => import('../pages/emailed-links/undo-email-page.tsx'), 'UndoEmailPage');
const PhoneVerificationPage = page(
  () => import('../pages/account/phone-verification-page.tsx'),
  'PhoneVerificationPage',
);
const FlipbookPage = page(() => import('../pages/album/flipbook-page.tsx'), 'FlipbookPage');
const NotFoundPage = page(() => import('../pages/not-found-page.tsx'), 'NotFoundPage');

export function Routes() {
  const { data: user, isPending, isFetching, refetch } = useUser();
  if (isPending) {
    return (
      <main>
        <LoadingScreen isPage />
      </main>
    );
  }
  if (user === undefined) return <UnreachableScreen onRetry={() => void refetch()} isRetrying={isFetching} />;
  const publicHeader = <PublicHeader />;
  return (
    <PageLayout
      header={
        <Suspense fallback={publicHeader}>{user ? <SignedInHeader user={user} /> : publicHeader}</Suspense>
      }
    >
      <Suspense fallback={<LoadingScreen isPage />}>
        <Pages user={user} />
      </Suspense>
    </PageLayout>
  );
}

function Pages({ user }: { user: User | null }) {
  return (
    <Switch>
      <Route path={paths.home}>{user ? <HomePage user={user} /> : <LandingPage />}</Route>
      <Route path={paths.auth}>{user ? <SignedIn user={user} /> : <AuthPage />}</Route>
      <Route path={paths.pets}>{user ? <PetsPage /> : <RedirectToSignIn />}</Route>
      <Route path={paths.gallery}>{user ? <GalleryPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.addMany}>{user ? <AddManyPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.recentlyDeleted}>{user ? <RecentlyDeletedPage /> : <RedirectToSignIn />}</Route>
      <Route path={paths.timeline}>{user ? <TimelinePage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.contacts}>{user ? <ContactsPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.account}>{user ? <AccountPage user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.admin}>{user ? <AdminOnly user={user} /> : <RedirectToSignIn />}</Route>
      <Route path={paths.connectSignIn}>
        <ConnectSignInPage user={user} />
      </Route>
      <Route path={paths.forgotPassword}>
        <ForgotPasswordPage user={user} />
      </Route>
      <Route path={paths.resetPassword}>
        <ResetPasswordPage />
      </Route>
      <Route path={paths.verifyEmail}>
        <VerifyEmailPage user={user} />
      </Route>
      <Route path={paths.notMe}>
        <NotMePage />
      </Route>
      <Route path={paths.startAgain}>
        <StartAgainPage />
      </Route>
      <Route path={paths.confirmEmail}>
        <ConfirmEmailPage user={user} />
      </Route>
      <Route path={paths.undoEmail}>
        <UndoEmailPage />
      </Route>
      <Route path={paths.secureAccount}>
        <SecureAccountPage />
      </Route>
      <Route path={paths.phoneVerification}>
        {user ? <PhoneVerificationPage user={user} /> : <RedirectToSignIn />}
      </Route>
      <Route path={paths.flipbook}>
        {({ bookId }) => (user ? <FlipbookPage key={bookId} bookId={bookId} /> : <RedirectToSignIn />)}
      </Route>
      <Route>
        <NotFoundPage />
      </Route>
    </Switch>
  );
}

function AdminOnly({ user }: { user: User }) {
  return user.isAdmin ? <AdminPage user={user} /> : <NotFoundPage />;
}

/** Also after signing in with an invitation's link, which may be for an existing account. */
function SignedIn({ user }: { user: User }) {
  const token = new URLSearchParams(useSearch()).get('invite');
  if (!token || user.isAdmin) return <Redirect to={paths.home} replace />;
  return <BecomeAdministratorPage user={user} token={token} />;
}

function RedirectToSignIn() {
  useEffect(() => redirectToSignIn(), []);
  return <LoadingScreen isPage />;
}
